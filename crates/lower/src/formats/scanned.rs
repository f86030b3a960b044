//! Pieces of a format that reads.

use super::{Format, Given, Piece, piece};
use beeline_module::TyKind;

/// The pieces, if the models know them all.
pub(super) fn pieces(format: &[u8], word: u32) -> Option<Vec<Piece>> {
    let mut format = Format::new(format);
    let mut found = Vec::new();
    while let Some(letter) = format.peek() {
        let start = format.at;
        if is_blank(letter) {
            format.run(is_blank);
            found.push(piece("blanks", []));
        } else if letter != b'%' {
            let length = format.run(|letter| letter != b'%' && !is_blank(letter)).len();
            found.push(piece("letters", [Given::Text(start), Given::Size(length)]));
        } else if format.text[start..].starts_with(b"%%") {
            format.at += 2;
            found.extend([piece("blanks", []), piece("letters", [Given::Text(start), Given::Size(1)])]);
        } else {
            format.at += 1;
            found.push(conversion(&mut format, word)?);
        }
    }
    Some(found)
}

fn is_blank(letter: u8) -> bool {
    letter == b' ' || (b'\t'..=b'\r').contains(&letter)
}

/// The conversion after a percent sign. A conversion whose value is not kept has no destination.
fn conversion(format: &mut Format<'_>, word: u32) -> Option<Piece> {
    let is_kept = !format.take(b'*');
    let width = format.number();
    let bits = format.bits(word)?;
    let to = || Given::Next(TyKind::Ptr);
    let sign = match format.next()? {
        b'd' => "signed",
        b'u' => "unsigned",
        b'x' | b'X' => "hexadecimal",
        b's' if bits == 32 && is_kept => {
            return Some(piece("word", [Given::Number(width.unwrap_or(-1)), to()]));
        }
        b'c' if bits == 32 && is_kept => {
            return Some(piece("characters", [Given::Number(width.unwrap_or(1)), to()]));
        }
        _ => return None,
    };
    let width = Given::Number(width.unwrap_or(-1));
    Some(match is_kept {
        true => piece(format!("{sign}{bits}"), [width, to()]),
        false => piece("number", [width, Given::Number(if sign == "hexadecimal" { 16 } else { 10 })]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_pieces() {
        let found = pieces(b"x=%d, %3s%c%*u%%%lx%hhu\0%f", 64).expect("the models know them");
        let (to, number) = (|| Given::Next(TyKind::Ptr), Given::Number);
        let letters = |at, length| piece("letters", [Given::Text(at), Given::Size(length)]);
        assert_eq!(
            found,
            [
                letters(0, 2),
                piece("signed32", [number(-1), to()]),
                letters(4, 1),
                piece("blanks", []),
                piece("word", [number(3), to()]),
                piece("characters", [number(1), to()]),
                piece("number", [number(-1), number(10)]),
                piece("blanks", []),
                letters(14, 1),
                piece("hexadecimal64", [number(-1), to()]),
                piece("unsigned8", [number(-1), to()]),
            ]
        );
        assert_eq!(pieces(b"%lu", 32), Some(vec![piece("unsigned32", [number(-1), to()])]));
    }

    #[test]
    fn what_the_models_do_not_know_has_no_pieces() {
        for unknown in [&b"%f"[..], b"%i", b"%n", b"%[a-z]", b"%p", b"%ls", b"%ms", b"%*s", b"%", b"%1$d"] {
            assert_eq!(pieces(unknown, 64), None);
        }
    }
}
