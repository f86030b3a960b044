//! Of the executions that leave an object, the one that is shown leaves it by little.

use beeline_tests::driver::beeline;

/// The value of `i` at an access that is out of bounds, of which a sanitizer reports only those beside the object.
fn index(program: &str) -> Option<i64> {
    let folder = tempfile::tempdir().unwrap();
    let text = format!("extern unsigned char __VERIFIER_nondet_uchar(void);\n{program}");
    std::fs::write(folder.path().join("p.c"), text).unwrap();
    let mut found = Vec::new();
    for engine in ["lazy", "bounded", "concrete"] {
        let ran = beeline(
            folder.path(),
            &["check", "--property", "valid-deref", "--engine", engine, "--time-limit", "30s", "p.c"],
        );
        let value = ran.out.lines().find_map(|line| line.split("i = ").nth(1)).unwrap_or_default();
        let value: String = value.chars().take_while(|c| c.is_ascii_digit() || *c == '-').collect();
        found.push((ran.verdict() == "verdict: unsafe (confirmed)").then(|| value.parse().ok()).flatten());
    }
    assert!(found.iter().all(|value| *value == found[0]), "{program}: {found:?}");
    found[0]
}

const AT: &str = "static int at(const int *a, int i) { return a[i]; }\nint others[300];\n";

#[test]
fn an_access_is_right_after_its_object() {
    let program = "int main(void) {\n  int a[4] = {0}, b[300] = {0};\n  int i = __VERIFIER_nondet_uchar();\n  if (i < 2) return b[i];\n  return at(a, i);\n}\n";
    assert!([Some(4), Some(5)].contains(&index(&format!("{AT}{program}"))));
    let program = "int main(void) {\n  static int a[8];\n  int i = __VERIFIER_nondet_uchar();\n  return others[i] + at(a, i);\n}\n";
    assert!([Some(8), Some(9)].contains(&index(&format!("{AT}{program}"))));
}

#[test]
fn an_access_is_right_before_its_object() {
    // Nothing of the program is before its first variable, be it zero or set.
    for a in ["int a[8]", "int a[8] = {1}"] {
        let program = "int main(void) {\n  static A;\n  int i = __VERIFIER_nondet_uchar() - 248;\n  return others[200] + at(a, i < 8 ? i : 0);\n}\n";
        let program = program.replace('A', a);
        assert!([Some(-1), Some(-2)].contains(&index(&format!("{AT}{program}"))), "{a}");
    }
}

#[test]
fn an_element_may_be_a_structure() {
    let program = "struct s { int a[6], b; } table[4];\nint main(void) {\n  unsigned i = __VERIFIER_nondet_uchar();\n  return others[i] + table[i % 16].b;\n}\n";
    assert_eq!(index(&format!("{AT}{program}")).map(|i| i % 16), Some(4));
}
