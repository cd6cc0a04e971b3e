package quant

// A K block of 256 values has sub-blocks with scales of their own, which are small integers times the block's scale.

// scaleMin is the scale and the offset, six bits each, of sub-block i of 8 of a Q4_K or Q5_K block. Of the twelve bytes the first
// four hold scales 0 to 3 and the next four offsets 0 to 3, in their low six bits; the last four hold the low four bits of scale and
// offset 4 to 7, whose upper two bits are the upper two of the first eight bytes.
func scaleMin(packed []byte, i int) (scale, offset float32) {
	if i < 4 {
		return float32(packed[i] & 63), float32(packed[i+4] & 63)
	}
	low := packed[i+4]
	return float32(low&15 | packed[i-4]>>6<<4), float32(low>>4 | packed[i]>>6<<4)
}

// decodeQ4_K reads {half scale; half offset; 6-bit scales and offsets of 8 sub-blocks; nibbles q[256]}: with both sub-block's numbers
// multiplied by the block's, scale·q − offset. Of each 32 bytes of q the low nibbles are one sub-block, the upper ones the next.
func decodeQ4_K(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, m, packed := halfAt(src, 0), halfAt(src, 2), src[4:16]
		for pair := range 4 {
			s0, o0 := scaleMin(packed, 2*pair)
			s1, o1 := scaleMin(packed, 2*pair+1)
			s0, o0, s1, o1 = d*s0, m*o0, d*s1, m*o1
			out := dst[64*pair : 64*pair+64]
			for j, q := range src[16+32*pair : 48+32*pair] {
				out[j] = s0*float32(q&15) - o0
				out[j+32] = s1*float32(q>>4) - o1
			}
		}
		dst, src = dst[256:], src[144:]
	}
}

// decodeQ5_K reads a Q4_K block with 32 bytes of fifth bits before the nibbles: bit i of byte j belongs to value j of sub-block i.
func decodeQ5_K(dst []float32, src []byte) {
	for len(dst) > 0 {
		d, m, packed, high := halfAt(src, 0), halfAt(src, 2), src[4:16], src[16:48]
		for pair := range 4 {
			s0, o0 := scaleMin(packed, 2*pair)
			s1, o1 := scaleMin(packed, 2*pair+1)
			s0, o0, s1, o1 = d*s0, m*o0, d*s1, m*o1
			out := dst[64*pair : 64*pair+64]
			for j, q := range src[48+32*pair : 80+32*pair] {
				h := high[j] >> (2 * pair)
				out[j] = s0*float32(q&15|h&1<<4) - o0
				out[j+32] = s1*float32(q>>4|h>>1&1<<4) - o1
			}
		}
		dst, src = dst[256:], src[176:]
	}
}

// decodeQ6_K reads {low nibbles [128]; upper bit pairs [64]; int8 scales[16]; half scale}: scale·scales[value/16]·(q−32). Each half of
// 128 values takes 64 bytes of nibbles, the low ones being values 0 to 63, and 32 bytes of bit pairs, the lowest being values 0 to 31.
func decodeQ6_K(dst []float32, src []byte) {
	for len(dst) > 0 {
		d := halfAt(src, 208)
		for h := range 2 {
			low, high, scales, out := src[64*h:64*h+64], src[128+32*h:160+32*h], src[192+8*h:200+8*h], dst[128*h:128*h+128]
			for part := range 4 {
				nibbles := low[32*(part&1) : 32*(part&1)+32]
				shift := 4 * (part >> 1)
				for k := range 2 {
					s := d * float32(int8(scales[2*part+k]))
					for j := 16 * k; j < 16*k+16; j++ {
						q := nibbles[j]>>shift&15 | high[j]>>(2*part)&3<<4
						out[32*part+j] = s * float32(int(q)-32)
					}
				}
			}
		}
		dst, src = dst[256:], src[210:]
	}
}
