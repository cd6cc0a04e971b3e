#include "textflag.h"

// LOAD takes a row's next eight values, at the offset of the half's rows, and goes to the row below.
#define LOAD(reg) \
	VMOVUPS (R8), reg; \
	ADDQ R9, R8

// PAIRS interleaves two rows' values within each half of a vector.
#define PAIRS(a, b, lo, hi) \
	VUNPCKLPS b, a, lo; \
	VUNPCKHPS b, a, hi

// FOURS makes runs of four values of one column from pairs of four rows.
#define FOURS(a, b, first, second) \
	VSHUFPS $0x44, b, a, first; \
	VSHUFPS $0xee, b, a, second

// COLUMN joins the upper and the lower four rows of two columns, four apart, and stores them.
#define COLUMN(upper, lower, at) \
	VPERM2F128 $0x20, lower, upper, Y8; \
	VPERM2F128 $0x31, lower, upper, Y9; \
	VMOVUPS Y8, (at*64)(DI); \
	VMOVUPS Y9, (at*64+256)(DI)

// BLOCK turns eight rows of eight values; R8 is the first row, DI where their first column goes.
#define BLOCK \
	LOAD(Y0); \
	LOAD(Y1); \
	LOAD(Y2); \
	LOAD(Y3); \
	LOAD(Y4); \
	LOAD(Y5); \
	LOAD(Y6); \
	LOAD(Y7); \
	PAIRS(Y0, Y1, Y8, Y9); \
	PAIRS(Y2, Y3, Y10, Y11); \
	PAIRS(Y4, Y5, Y12, Y13); \
	PAIRS(Y6, Y7, Y14, Y15); \
	FOURS(Y8, Y10, Y0, Y1); \
	FOURS(Y9, Y11, Y2, Y3); \
	FOURS(Y12, Y14, Y4, Y5); \
	FOURS(Y13, Y15, Y6, Y7); \
	COLUMN(Y0, Y4, 0); \
	COLUMN(Y1, Y5, 1); \
	COLUMN(Y2, Y6, 2); \
	COLUMN(Y3, Y7, 3)

// func turn16(panel, src *float32, stride, cols int)
TEXT ·turn16(SB), NOSPLIT, $0-32
	MOVQ panel+0(FP), DI
	MOVQ src+8(FP), SI
	MOVQ stride+16(FP), R9
	MOVQ cols+24(FP), CX
	SHLQ $2, R9

loop:
	MOVQ SI, R8
	BLOCK
	ADDQ $32, DI
	BLOCK
	ADDQ $480, DI
	ADDQ $32, SI
	SUBQ $8, CX
	JNZ  loop
	VZEROUPPER
	RET
