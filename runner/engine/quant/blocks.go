package quant

import "encoding/binary"

// In blocks of 32 values of 4 or 5 bits, byte j holds the low four bits of value j, and in its upper half those of value j+16. The
// fifth bits of all values are a 32-bit integer, value j's being bit j.

// decodeQ8_0 reads {half scale; int8 q[32]}: scale·q.
func decodeQ8_0(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, out := halfAt(src, 0), dst[:32]
		for j, q := range src[2:34] {
			out[j] = d * float32(int8(q))
		}
		dst, src = dst[32:], src[34:]
	}
}

// decodeQ4_0 reads {half scale; nibbles q[32]}: scale·(q−8).
func decodeQ4_0(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, out := halfAt(src, 0), dst[:32]
		for j, q := range src[2:18] {
			out[j] = d * float32(int(q&15)-8)
			out[j+16] = d * float32(int(q>>4)-8)
		}
		dst, src = dst[32:], src[18:]
	}
}

// decodeQ4_1 reads {half scale; half offset; nibbles q[32]}: scale·q + offset.
func decodeQ4_1(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, m, out := halfAt(src, 0), halfAt(src, 2), dst[:32]
		for j, q := range src[4:20] {
			out[j] = d*float32(q&15) + m
			out[j+16] = d*float32(q>>4) + m
		}
		dst, src = dst[32:], src[20:]
	}
}

// decodeQ5_0 reads {half scale; uint32 fifth bits; nibbles q[32]}: scale·(q−16).
func decodeQ5_0(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, high, out := halfAt(src, 0), binary.LittleEndian.Uint32(src[2:]), dst[:32]
		for j, q := range src[6:22] {
			out[j] = d * float32(int(uint32(q&15)|high>>j&1<<4)-16)
			out[j+16] = d * float32(int(uint32(q>>4)|high>>(j+16)&1<<4)-16)
		}
		dst, src = dst[32:], src[22:]
	}
}

// decodeQ5_1 reads {half scale; half offset; uint32 fifth bits; nibbles q[32]}: scale·q + offset.
func decodeQ5_1(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, m, high, out := halfAt(src, 0), halfAt(src, 2), binary.LittleEndian.Uint32(src[4:]), dst[:32]
		for j, q := range src[8:24] {
			out[j] = d*float32(uint32(q&15)|high>>j&1<<4) + m
			out[j+16] = d*float32(uint32(q>>4)|high>>(j+16)&1<<4) + m
		}
		dst, src = dst[32:], src[24:]
	}
}
