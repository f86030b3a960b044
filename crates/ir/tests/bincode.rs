//! Numbers in files are those of bincode 2: the same bytes are written, and the same bytes are read or refused.

use beeline_ir::file::{Decoder, Encoder, Wire};
use bincode::config::standard;
use std::fmt::Debug;

/// Numbers of each length, both signs, and the borders between lengths.
fn numbers(random: &mut fastrand::Rng) -> Vec<u128> {
    let borders = [0, 1, 125, 126, 127, 128, 250, 251, 252, 253, 254, 255, 256, 0x7fff, 0xffff, 0x1_0000];
    let powers = (0..128).flat_map(|power| [(1u128 << power) - 1, 1 << power, (1 << power) + 1]);
    let drawn = (0..2000).map(|_| random.u128(..) >> random.u32(0..128));
    borders.into_iter().chain(powers).chain(drawn).collect()
}

fn same<T>(value: T)
where
    T: Wire + bincode::Encode + bincode::Decode<()> + PartialEq + Debug,
{
    let mut out = Encoder::default();
    Wire::encode(&value, &mut out);
    let bytes = out.into_bytes();
    assert_eq!(bytes, bincode::encode_to_vec(&value, standard()).unwrap(), "{value:?}");
    assert_eq!(<T as Wire>::decode(&mut Decoder::new(&bytes)), Ok(value));
}

/// What both make of bytes: the value and how many bytes are left.
fn read_alike<T>(bytes: &[u8])
where
    T: Wire + bincode::Decode<()> + PartialEq + Debug,
{
    let mut input = Decoder::new(bytes);
    let ours = <T as Wire>::decode(&mut input).map(|value| (value, bytes.len() - input.remaining())).ok();
    let theirs = bincode::decode_from_slice::<T, _>(bytes, standard()).ok();
    assert_eq!(ours, theirs, "{bytes:?}");
}

#[test]
fn numbers_are_written_as_bincode_writes_them() {
    for number in numbers(&mut fastrand::Rng::with_seed(1)) {
        macro_rules! each { ($($ty:ty),*) => {$( same(number as $ty); )*} }
        each!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128);
        same(-(number as i64 as f64));
        same(number % 2 == 0);
    }
}

#[test]
fn bytes_are_read_or_refused_as_bincode_does() {
    let mut random = fastrand::Rng::with_seed(2);
    for round in 0..200_000 {
        let mut bytes: Vec<u8> = (0..random.usize(0..20)).map(|_| random.u8(..)).collect();
        // Most numbers are announced, some by a tag that there is not.
        if let Some(first) = bytes.first_mut().filter(|_| round % 2 == 0) {
            *first = random.u8(248..);
        }
        macro_rules! each { ($($ty:ty),*) => {$( read_alike::<$ty>(&bytes); )*} }
        each!(u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, bool);
        // A float may be no number, which equals nothing: its bits are compared.
        let theirs = bincode::decode_from_slice::<f64, _>(&bytes, standard()).ok();
        let ours = <f64 as Wire>::decode(&mut Decoder::new(&bytes)).ok();
        assert_eq!(ours.map(f64::to_bits), theirs.map(|(value, _)| value.to_bits()));
    }
}
