//! Files: what was written is what is read, and whatever else the bytes are ends in one clear sentence.

use beeline_ir::file::{self, FileError, Kind, Version};
use beeline_ir::{Program, random, text};

fn example() -> Program {
    text::parse(include_str!("../../../tests/file/graph/figure-3-1.cfa")).expect("the example is a program")
}

fn example_bytes() -> Vec<u8> {
    file::to_bytes(&example(), None).expect("the example can be written")
}

/// What reading the bytes as a program says.
fn refusal(bytes: &[u8]) -> String {
    file::from_bytes::<Program>("a.cfa", bytes).expect_err("these bytes are no program").to_string()
}

#[derive(Debug, PartialEq)]
struct Numbers {
    list: Vec<u32>,
}
beeline_ir::wire_struct!(Numbers { list });
beeline_ir::wire_body!(Numbers, Kind::Feat, Version { major: 1, minor: 0 });

#[test]
fn programs_survive_and_equal_ones_have_equal_bytes() {
    for seed in 0..300 {
        let program = random::program(seed);
        let bytes = file::to_bytes(&program, None).expect("a valid program can be written");
        let read = file::from_bytes::<Program>("a.cfa", &bytes).expect("it can be read").body;
        assert_eq!(read, program, "seed {seed}");
        let parsed = text::parse(&text::print(&program)).expect("it can be parsed");
        assert_eq!(file::to_bytes(&parsed, None).expect("it can be written"), bytes, "seed {seed}");
    }
}

#[test]
fn the_disk_holds_what_was_written() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a.cfa");
    let digest = file::write(&path, &example(), None).expect("it is written");
    let read = file::read::<Program>(&path).expect("it is read");
    assert_eq!((read.body, read.header.digest), (example(), digest));
    assert_eq!(file::peek(&path).expect("it has a header"), read.header);
    // Nothing else is left beside it.
    assert_eq!(std::fs::read_dir(dir.path()).expect("the directory").count(), 1);
}

#[test]
fn every_wrong_file_is_refused_with_what_to_do() {
    let dir = tempfile::tempdir().expect("a directory");
    let missing = file::read::<Program>(dir.path().join("none.cfa")).expect_err("it is not there");
    assert!(missing.to_string().ends_with("none.cfa does not exist; check the path"));
    let directory = file::read::<Program>(dir.path()).expect_err("it is a directory");
    assert!(directory.to_string().ends_with("is a directory; name a file"));

    assert_eq!(refusal(b""), "a.cfa is empty; create it again");
    assert_eq!(
        refusal(b"beeline 1.0\nfn main() {"),
        "a.cfa is text, not a binary file of Beeline; `beeline-ir assemble` converts textual IR"
    );
    assert_eq!(refusal(b"\x7fELF\0\0\0\0"), "a.cfa is not a file of Beeline; check the path");
    assert_eq!(refusal(&example_bytes()[..60]), "a.cfa ends within its header; create it again");

    let features = file::to_bytes(&Numbers { list: vec![1] }, None).expect("numbers can be written");
    assert_eq!(
        refusal(&features),
        "a.cfa is a .feat file (features), but a .cfa file (a program) is needed here"
    );
    let mut newer = example_bytes();
    newer[12] = 99;
    assert_eq!(
        refusal(&newer),
        "a.cfa has version 99.1 of the .cfa format, but this program reads only up to 1.x; update Beeline"
    );
    let mut older = example_bytes();
    older[12] = 0;
    assert_eq!(
        refusal(&older),
        "a.cfa has version 0.1 of the .cfa format, but this program reads only 1.x; create it again with beeline-lower"
    );
    let mut kind = example_bytes();
    kind[8] = b'x';
    assert_eq!(refusal(&kind), "a.cfa has a kind that this program does not know; update Beeline");
}

#[test]
fn damage_is_noticed() {
    let whole = example_bytes();
    let end = whole.len();
    assert_eq!(
        refusal(&whole[..end - 3]),
        "a.cfa is damaged (3 bytes are missing at its end); create it again with beeline-lower"
    );
    let mut longer = whole.clone();
    longer.push(0);
    assert_eq!(
        refusal(&longer),
        "a.cfa is damaged (bytes follow its end); create it again with beeline-lower"
    );
    let mut flipped = whole.clone();
    flipped[end - 1] ^= 1;
    assert_eq!(
        refusal(&flipped),
        "a.cfa is damaged (its digest does not match); create it again with beeline-lower"
    );
}

#[test]
fn another_programs_file_is_foreign() {
    let header = |bytes: &[u8]| file::peek_bytes("x", bytes).expect("it has a header");
    let (mine, other) = (example_bytes(), file::to_bytes(&random::program(1), None).expect("bytes"));
    let made = file::to_bytes(&Numbers { list: vec![] }, Some(header(&mine).digest)).expect("bytes");
    assert!(file::expect_upstream("a.feat", &header(&made), "a.cfa", &header(&mine)).is_ok());
    let error = file::expect_upstream("a.feat", &header(&made), "b.cfa", &header(&other));
    assert_eq!(
        error.expect_err("it belongs to the other program").to_string(),
        "a.feat was not made from b.cfa; create it again from that file with beeline-features"
    );
}

#[test]
fn a_newer_minor_version_may_have_more_at_the_end() {
    let (longer, plain) = ((vec![7u32], true), Numbers { list: vec![7] });
    let with = |minor: u8| {
        let mut bytes = file::to_bytes(&Longer(longer.clone()), None).expect("bytes");
        bytes[14] = minor;
        file::from_bytes::<Numbers>("a.feat", &bytes)
    };
    assert_eq!(with(1).expect("minor versions stay readable").body, plain);
    assert!(matches!(with(0), Err(FileError::Damaged { .. })));
}

/// What a later version of [`Numbers`] may be.
struct Longer((Vec<u32>, bool));

impl file::Body for Longer {
    const KIND: Kind = Kind::Feat;
    const VERSION: Version = Version { major: 1, minor: 1 };
    fn encode_body(&self, out: &mut file::Encoder) -> Result<(), file::WireError> {
        file::Wire::encode(&self.0, out);
        Ok(())
    }
    fn decode_body(input: &mut file::Decoder<'_>, _: Version) -> Result<Self, file::WireError> {
        file::Wire::decode(input).map(Longer)
    }
}

#[test]
fn a_program_out_of_order_is_not_written() {
    let mut program = example();
    let label = program.locations().next().expect("a location");
    program.labels.insert(label, "L0".into());
    let error = file::to_bytes(&program, None).expect_err("the label says nothing");
    assert_eq!(error.to_string(), "a label repeats the default label of its location");
}

#[test]
fn a_program_is_read_from_its_text_as_well() {
    let dir = tempfile::tempdir().expect("a directory");
    let (binary, textual) = (dir.path().join("a.cfa"), dir.path().join("a.txt"));
    let digest = file::write(&binary, &example(), None).expect("it is written");
    std::fs::write(&textual, text::print(&example())).expect("it is written");
    for path in [&binary, &textual] {
        let read = file::read_program(path).expect("it is read");
        // What belongs to the one file belongs to the other.
        assert_eq!((read.body, read.header.digest), (example(), digest));
    }
    std::fs::write(&textual, "beeline 1.0\nfn main() {\n  go home\n}\n").expect("it is written");
    let said = file::read_program(&textual).expect_err("it is no program").to_string();
    assert!(said.contains("a.txt is not a program\n") && said.contains("a.txt:3:"), "{said}");
}

#[test]
fn an_output_that_is_an_input_is_refused() {
    let dir = tempfile::tempdir().expect("a directory");
    let (path, link) = (dir.path().join("a.cfa"), dir.path().join("b.cfa"));
    file::write(&path, &example(), None).expect("it is written");
    std::os::unix::fs::symlink(&path, &link).expect("a link");
    for output in [&path, &link] {
        let said = file::expect_other(output, [path.as_path()]).expect_err("it is the same file").to_string();
        assert!(said.ends_with("is an input and would be overwritten; choose another output file"));
    }
    for output in ["none.cfa", "/dev/null"] {
        file::expect_other(&dir.path().join(output), [path.as_path()]).expect("it is another file");
    }
}

#[test]
fn a_name_may_be_as_long_as_names_can_be() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("a".repeat(255));
    file::write(&path, &example(), None).expect("it is written");
    assert_eq!(file::read::<Program>(&path).expect("it is read").body, example());
}
