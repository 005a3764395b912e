/*
 * uint32_t conform_abi_call(conform_op_fn fn, ifn_backend *backend, const ifn_call *args,
 *                           ifn_status *status)
 *
 * AAPCS64: x19 to x28, x29, the low halves of v8 to v15 and FPCR come back as they were. Bit i of
 * the result is the i-th name in abi.c.
 *
 *   0  x29 x30     16  x19 .. x28     96  d8 .. d15     160  status, FPCR
 */
        .text
        .globl  conform_abi_call
        .type   conform_abi_call, %function
        .hidden conform_abi_call

        /* x19 + i and d8 + i get patterns that name them. */
        .macro  pattern to, value
        mov     \to, #\value
        movk    \to, #\value, lsl #32
        .endm

        .macro  expect register, value, bit
        pattern x10, \value
        cmp     \register, x10
        b.eq    1f
        orr     w9, w9, #(1 << \bit)
1:
        .endm

        .macro  expect_d register, value, bit
        fmov    x11, \register
        expect  x11, \value, \bit
        .endm

conform_abi_call:
        .cfi_startproc
        stp     x29, x30, [sp, #-176]!
        .cfi_def_cfa_offset 176
        .cfi_offset 29, -176
        .cfi_offset 30, -168
        stp     x19, x20, [sp, #16]
        stp     x21, x22, [sp, #32]
        stp     x23, x24, [sp, #48]
        stp     x25, x26, [sp, #64]
        stp     x27, x28, [sp, #80]
        stp     d8, d9, [sp, #96]
        stp     d10, d11, [sp, #112]
        stp     d12, d13, [sp, #128]
        stp     d14, d15, [sp, #144]
        mrs     x9, fpcr
        stp     x3, x9, [sp, #160]
        pattern x19, 0x1919
        pattern x20, 0x2020
        pattern x21, 0x2121
        pattern x22, 0x2222
        pattern x23, 0x2323
        pattern x24, 0x2424
        pattern x25, 0x2525
        pattern x26, 0x2626
        pattern x27, 0x2727
        pattern x28, 0x2828
        pattern x10, 0x0808
        fmov    d8, x10
        pattern x10, 0x0909
        fmov    d9, x10
        pattern x10, 0x1010
        fmov    d10, x10
        pattern x10, 0x1111
        fmov    d11, x10
        pattern x10, 0x1212
        fmov    d12, x10
        pattern x10, 0x1313
        fmov    d13, x10
        pattern x10, 0x1414
        fmov    d14, x10
        pattern x10, 0x1515
        fmov    d15, x10
        mov     x29, sp
        mov     x9, x0
        mov     x0, x1
        mov     x1, x2
        blr     x9
        mov     w9, #0
        expect  x19, 0x1919, 0
        expect  x20, 0x2020, 1
        expect  x21, 0x2121, 2
        expect  x22, 0x2222, 3
        expect  x23, 0x2323, 4
        expect  x24, 0x2424, 5
        expect  x25, 0x2525, 6
        expect  x26, 0x2626, 7
        expect  x27, 0x2727, 8
        expect  x28, 0x2828, 9
        mov     x10, sp
        cmp     x29, x10
        b.eq    1f
        orr     w9, w9, #(1 << 10)
1:
        expect_d d8, 0x0808, 11
        expect_d d9, 0x0909, 12
        expect_d d10, 0x1010, 13
        expect_d d11, 0x1111, 14
        expect_d d12, 0x1212, 15
        expect_d d13, 0x1313, 16
        expect_d d14, 0x1414, 17
        expect_d d15, 0x1515, 18
        ldp     x3, x11, [sp, #160]
        str     w0, [x3]
        mrs     x10, fpcr
        cmp     x10, x11
        b.eq    1f
        orr     w9, w9, #(1 << 19)
        msr     fpcr, x11
1:
        mov     w0, w9
        ldp     x19, x20, [sp, #16]
        ldp     x21, x22, [sp, #32]
        ldp     x23, x24, [sp, #48]
        ldp     x25, x26, [sp, #64]
        ldp     x27, x28, [sp, #80]
        ldp     d8, d9, [sp, #96]
        ldp     d10, d11, [sp, #112]
        ldp     d12, d13, [sp, #128]
        ldp     d14, d15, [sp, #144]
        ldp     x29, x30, [sp], #176
        .cfi_restore 29
        .cfi_restore 30
        .cfi_def_cfa_offset 0
        ret
        .cfi_endproc
        .size   conform_abi_call, .-conform_abi_call
        .section .note.GNU-stack, "", %progbits
