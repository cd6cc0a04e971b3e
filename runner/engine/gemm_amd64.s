#include "textflag.h"

// Rows of a tile share the two vectors of one row of B, in Y12 and Y13; each broadcasts its own element of A and keeps two
// vectors of C. One accumulator a result, summed over k in order: a result does not depend on the tile it was computed in.

#define ZERO(lo, hi) \
	VXORPS lo, lo, lo; \
	VXORPS hi, hi, hi

#define ROW(addr, tmp, lo, hi) \
	VBROADCASTSS addr, tmp; \
	VFMADD231PS Y12, tmp, lo; \
	VFMADD231PS Y13, tmp, hi

#define ARGS \
	MOVQ c+0(FP), DI; \
	MOVQ a+8(FP), SI; \
	MOVQ b+16(FP), DX; \
	MOVQ k+24(FP), CX; \
	MOVQ ai+32(FP), R8; \
	MOVQ ak+40(FP), BX; \
	MOVQ ldb+48(FP), R9; \
	MOVQ ldc+56(FP), R10; \
	MOVQ add+64(FP), R12; \
	SHLQ $2, R8; \
	SHLQ $2, BX; \
	SHLQ $2, R9; \
	SHLQ $2, R10

#define LOADB \
	VMOVUPS (DX), Y12; \
	VMOVUPS 32(DX), Y13; \
	ADDQ R9, DX

#define ADDC(lo, hi) \
	VADDPS (R13), lo, lo; \
	VADDPS 32(R13), hi, hi; \
	ADDQ R10, R13

#define STORE(lo, hi) \
	VMOVUPS lo, (DI); \
	VMOVUPS hi, 32(DI); \
	ADDQ R10, DI

// func tile6(c, a, b *float32, k, ai, ak, ldb, ldc, add int)
TEXT ·tile6(SB), NOSPLIT, $0-72
	ARGS
	LEAQ (SI)(R8*2), R11
	ADDQ R8, R11
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)
	ZERO(Y6, Y7)
	ZERO(Y8, Y9)
	ZERO(Y10, Y11)

loop6:
	LOADB
	ROW((SI), Y14, Y0, Y1)
	ROW((SI)(R8*1), Y15, Y2, Y3)
	ROW((SI)(R8*2), Y14, Y4, Y5)
	ROW((R11), Y15, Y6, Y7)
	ROW((R11)(R8*1), Y14, Y8, Y9)
	ROW((R11)(R8*2), Y15, Y10, Y11)
	ADDQ BX, SI
	ADDQ BX, R11
	DECQ CX
	JNZ  loop6
	TESTQ R12, R12
	JZ   store6
	MOVQ DI, R13
	ADDC(Y0, Y1)
	ADDC(Y2, Y3)
	ADDC(Y4, Y5)
	ADDC(Y6, Y7)
	ADDC(Y8, Y9)
	ADDC(Y10, Y11)

store6:
	STORE(Y0, Y1)
	STORE(Y2, Y3)
	STORE(Y4, Y5)
	STORE(Y6, Y7)
	STORE(Y8, Y9)
	STORE(Y10, Y11)
	VZEROUPPER
	RET

// func tile3(c, a, b *float32, k, ai, ak, ldb, ldc, add int)
TEXT ·tile3(SB), NOSPLIT, $0-72
	ARGS
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)
	ZERO(Y4, Y5)

loop3:
	LOADB
	ROW((SI), Y14, Y0, Y1)
	ROW((SI)(R8*1), Y15, Y2, Y3)
	ROW((SI)(R8*2), Y14, Y4, Y5)
	ADDQ BX, SI
	DECQ CX
	JNZ  loop3
	TESTQ R12, R12
	JZ   store3
	MOVQ DI, R13
	ADDC(Y0, Y1)
	ADDC(Y2, Y3)
	ADDC(Y4, Y5)

store3:
	STORE(Y0, Y1)
	STORE(Y2, Y3)
	STORE(Y4, Y5)
	VZEROUPPER
	RET

// func tile1(c, a, b *float32, k, ai, ak, ldb, ldc, add int)
TEXT ·tile1(SB), NOSPLIT, $0-72
	ARGS
	ZERO(Y0, Y1)

loop1:
	LOADB
	ROW((SI), Y14, Y0, Y1)
	ADDQ BX, SI
	DECQ CX
	JNZ  loop1
	TESTQ R12, R12
	JZ   store1
	MOVQ DI, R13
	ADDC(Y0, Y1)

store1:
	STORE(Y0, Y1)
	VZEROUPPER
	RET

// func tile2(c, a, b *float32, k, ai, ak, ldb, ldc, add int)
TEXT ·tile2(SB), NOSPLIT, $0-72
	ARGS
	ZERO(Y0, Y1)
	ZERO(Y2, Y3)

loop2:
	LOADB
	ROW((SI), Y14, Y0, Y1)
	ROW((SI)(R8*1), Y15, Y2, Y3)
	ADDQ BX, SI
	DECQ CX
	JNZ  loop2
	TESTQ R12, R12
	JZ   store2
	MOVQ DI, R13
	ADDC(Y0, Y1)
	ADDC(Y2, Y3)

store2:
	STORE(Y0, Y1)
	STORE(Y2, Y3)
	VZEROUPPER
	RET
