//! Pieces of a format that prints.

use super::{Format, Given, Piece, piece};
use beeline_module::TyKind;

/// The most digits that the models have room for, and the letters that a width may ask for.
const MOST_DIGITS: i64 = 20;
const MOST_WIDTH: i64 = 1 << 16;
/// The flags of a printed number, as the models have them.
const HOW: [(u8, i64); 3] = [(b'0', 1), (b'+', 2), (b' ', 4)];
const UPPER: i64 = 8;

/// The pieces, if the models know them all.
pub(super) fn pieces(format: &[u8], word: u32) -> Option<Vec<Piece>> {
    let mut format = Format::new(format);
    let mut found = Vec::new();
    while format.peek().is_some() {
        let start = format.at;
        let length = format.run(|letter| letter != b'%').len();
        if length > 0 {
            found.push(letters(start, length));
        } else if format.text[start..].starts_with(b"%%") {
            format.at += 2;
            found.push(letters(start, 1));
        } else {
            format.at += 1;
            found.push(conversion(&mut format, word)?);
        }
    }
    Some(found)
}

/// Letters of the format itself.
fn letters(start: usize, length: usize) -> Piece {
    piece("letters", [Given::Text(start), Given::Size(length)])
}

/// The conversion after a percent sign.
fn conversion(format: &mut Format<'_>, word: u32) -> Option<Piece> {
    let flags = format.run(|letter| b"0+ -".contains(&letter));
    let how = HOW.iter().filter(|(flag, _)| flags.contains(flag)).fold(0, |how, (_, bit)| how | bit);
    let is_left = flags.contains(&b'-');
    // Left alignment is a negative width, and an argument for the width may be negative as well.
    let width = match format.take(b'*') {
        true if is_left => return None,
        true => Given::NextNumber,
        false => {
            let width = format.number().unwrap_or(0).min(MOST_WIDTH);
            Given::Number(if is_left { -width } else { width })
        }
    };
    let most = match format.take(b'.') {
        false => None,
        true if format.take(b'*') => Some(Given::NextNumber),
        true => Some(Given::Number(format.number().unwrap_or(0))),
    };
    let bits = format.bits(word).filter(|bits| *bits >= 32)?;
    let kind = format.next()?;
    let (sign, base) = match kind {
        b'd' | b'i' => ("signed", 10),
        b'u' => ("unsigned", 10),
        b'x' | b'X' => ("unsigned", 16),
        b'o' => ("unsigned", 8),
        b'c' if bits == 32 && most.is_none() && how == 0 => {
            return Some(piece("letter", [width, Given::Next(TyKind::Int(32))]));
        }
        b's' if bits == 32 && how == 0 => {
            let most = most.unwrap_or(Given::Number(-1));
            return Some(piece("text", [width, most, Given::Next(TyKind::Ptr)]));
        }
        _ => return None,
    };
    let least = match most {
        None => -1,
        Some(Given::Number(least)) if least <= MOST_DIGITS => least,
        Some(_) => return None,
    };
    let how = if kind == b'X' { how | UPPER } else { how };
    let number = Given::Next(TyKind::Int(bits));
    let given = [width, number, Given::Number(base), Given::Number(least), Given::Number(how)];
    Some(piece(format!("{sign}{bits}"), given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use Given::{NextNumber, Number};

    fn number(sign: &str, bits: u32, width: Given, base: i64, least: i64, how: i64) -> Piece {
        let rest = [Given::Next(TyKind::Int(bits)), Number(base), Number(least), Number(how)];
        piece(format!("{sign}{bits}"), [width].into_iter().chain(rest))
    }

    #[test]
    fn formats_have_pieces() {
        let found = pieces(b"a%d-%5s%%%-3c%.*s%+08lld%*X%.3lu\0%f", 64).expect("the models know them");
        let (int, ptr) = (Given::Next(TyKind::Int(32)), Given::Next(TyKind::Ptr));
        assert_eq!(
            found,
            [
                letters(0, 1),
                number("signed", 32, Number(0), 10, -1, 0),
                letters(3, 1),
                piece("text", [Number(5), Number(-1), ptr.clone()]),
                letters(7, 1),
                piece("letter", [Number(-3), int]),
                piece("text", [Number(0), NextNumber, ptr]),
                number("signed", 64, Number(8), 10, -1, 3),
                number("unsigned", 32, NextNumber, 16, -1, UPPER),
                number("unsigned", 64, Number(0), 10, 3, 0),
            ]
        );
        assert_eq!(pieces(b"%zx", 32), Some(vec![number("unsigned", 32, Number(0), 16, -1, 0)]));
    }

    #[test]
    fn what_the_models_do_not_know_has_no_pieces() {
        for unknown in [
            &b"%f"[..],
            b"%n",
            b"%p",
            b"%#x",
            b"%hhd",
            b"%ls",
            b"%-*d",
            b"%.*d",
            b"%.30d",
            b"%",
            b"%1$d",
            b"%Lf",
        ] {
            assert_eq!(pieces(unknown, 64), None);
        }
    }
}
