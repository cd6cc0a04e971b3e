#include "textflag.h"

DATA expc<>+0(SB)/4, $-87.0
DATA expc<>+4(SB)/4, $88.0
DATA expc<>+8(SB)/4, $1.44269504088896341
DATA expc<>+12(SB)/4, $0.693359375
DATA expc<>+16(SB)/4, $-2.12194440e-4
DATA expc<>+20(SB)/4, $1.98412698413e-4
DATA expc<>+24(SB)/4, $1.38888888889e-3
DATA expc<>+28(SB)/4, $8.33333333333e-3
DATA expc<>+32(SB)/4, $4.16666666667e-2
DATA expc<>+36(SB)/4, $1.66666666667e-1
DATA expc<>+40(SB)/4, $0.5
DATA expc<>+44(SB)/4, $1.0
DATA expc<>+48(SB)/4, $127
GLOBL expc<>(SB), RODATA, $52

// The steps of exp32, eight at a time.
// func exp8(dst, src *float32, n int)
TEXT ·exp8(SB), NOSPLIT, $0-24
	MOVQ         dst+0(FP), DI
	MOVQ         src+8(FP), SI
	MOVQ         n+16(FP), CX
	VBROADCASTSS expc<>+0(SB), Y15
	VBROADCASTSS expc<>+4(SB), Y14
	VBROADCASTSS expc<>+8(SB), Y13
	VBROADCASTSS expc<>+12(SB), Y12
	VBROADCASTSS expc<>+16(SB), Y11
	VBROADCASTSS expc<>+20(SB), Y10
	VBROADCASTSS expc<>+24(SB), Y9
	VBROADCASTSS expc<>+28(SB), Y8
	VBROADCASTSS expc<>+32(SB), Y7
	VBROADCASTSS expc<>+36(SB), Y6
	VBROADCASTSS expc<>+40(SB), Y5
	VBROADCASTSS expc<>+44(SB), Y4

loop:
	VMOVUPS      (SI), Y0
	VCMPPS       $1, Y15, Y0, Y3
	VMAXPS       Y0, Y15, Y0 // in this order a NaN stays one
	VMINPS       Y0, Y14, Y0
	VMULPS       Y13, Y0, Y1
	VROUNDPS     $0, Y1, Y1
	VFNMADD231PS Y12, Y1, Y0
	VFNMADD231PS Y11, Y1, Y0
	VMOVAPS      Y10, Y2
	VFMADD213PS  Y9, Y0, Y2
	VFMADD213PS  Y8, Y0, Y2
	VFMADD213PS  Y7, Y0, Y2
	VFMADD213PS  Y6, Y0, Y2
	VFMADD213PS  Y5, Y0, Y2
	VFMADD213PS  Y4, Y0, Y2
	VFMADD213PS  Y4, Y0, Y2
	VCVTPS2DQ    Y1, Y1
	VPBROADCASTD expc<>+48(SB), Y0
	VPADDD       Y0, Y1, Y1
	VPSLLD       $23, Y1, Y1
	VMULPS       Y1, Y2, Y2
	VANDNPS      Y2, Y3, Y2
	VMOVUPS      Y2, (DI)
	ADDQ         $32, SI
	ADDQ         $32, DI
	SUBQ         $8, CX
	JNZ          loop
	VZEROUPPER
	RET
