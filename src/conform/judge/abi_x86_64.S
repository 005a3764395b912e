/*
 * uint32_t conform_abi_call(conform_op_fn fn, ifn_backend *backend, const ifn_call *args,
 *                           ifn_status *status)
 *
 * System V calling convention. What a callee must keep gets a known value before the call; bit i of
 * the result says that the i-th name in abi.c came back different. Of MXCSR only the control bits
 * count: the sticky exception flags change with every inexact operation. Where the processor says
 * that the upper halves of vector registers are in use, which they are not at the call, and they are
 * not zero, bit 11 tells: a callee may leave them so, and slows down whatever comes next. In use and
 * zero they are where the upper half of ymm16 or a later one was read after vzeroupper. Tile registers are looked at
 * likewise, in bit 12, whether they hold zeros or not: while they are in use every task switch moves them.
 *
 *   0  mxcsr before      4  x87 control word before     8  where the status goes
 *  16  this very address: tells a lost rsp from a clobbered rbp
 *  24  x87 environment after, 28 bytes; its first word is mxcsr after, for a moment
 */
        .bss
upper:  .byte   0               /* of the upper state 0: unknown, 1: can be seen, 2: cannot */

        .text
        .globl  conform_abi_call
        .type   conform_abi_call, @function
        .hidden conform_abi_call
conform_abi_call:
        .cfi_startproc
        push    %rbp
        .cfi_adjust_cfa_offset 8
        push    %rbx
        .cfi_adjust_cfa_offset 8
        push    %r12
        .cfi_adjust_cfa_offset 8
        push    %r13
        .cfi_adjust_cfa_offset 8
        push    %r14
        .cfi_adjust_cfa_offset 8
        push    %r15
        .cfi_adjust_cfa_offset 8
        sub     $56, %rsp
        .cfi_adjust_cfa_offset 56
        stmxcsr (%rsp)
        fnstcw  4(%rsp)
        mov     %rcx, 8(%rsp)
        mov     %rsp, 16(%rsp)
        mov     %rdi, %r12
        mov     %rsi, %r13
        mov     %rdx, %r14
        call    conform_abi_checks_upper
        test    %eax, %eax
        jz      1f
        vzeroupper
1:      mov     %r12, %rdi
        mov     %r13, %rsi
        mov     %r14, %rdx
        movabs  $0x1b1b1b1b1b1b1b1b, %rbx
        movabs  $0x1212121212121212, %r12
        movabs  $0x1313131313131313, %r13
        movabs  $0x1414141414141414, %r14
        movabs  $0x1515151515151515, %r15
        mov     %rsp, %rbp
        mov     %rdi, %rax
        mov     %rsi, %rdi
        mov     %rdx, %rsi
        call    *%rax
        xor     %edx, %edx

        /* One of rsp and rbp must be left, or there is no way back. */
        cmp     %rsp, %rbp
        je      .Lstack_found
        cmp     %rsp, 16(%rsp)
        je      .Lbase_lost
        mov     %rbp, %rsp
        or      $0x40, %edx
        jmp     .Lstack_found
.Lbase_lost:
        or      $0x02, %edx
.Lstack_found:
        mov     8(%rsp), %rcx
        mov     %eax, (%rcx)

        pushfq
        pop     %r9
        test    $0x400, %r9d
        jz      1f
        or      $0x80, %edx
        cld
1:      movabs  $0x1b1b1b1b1b1b1b1b, %r8
        cmp     %r8, %rbx
        je      1f
        or      $0x01, %edx
1:      movabs  $0x1212121212121212, %r8
        cmp     %r8, %r12
        je      1f
        or      $0x04, %edx
1:      movabs  $0x1313131313131313, %r8
        cmp     %r8, %r13
        je      1f
        or      $0x08, %edx
1:      movabs  $0x1414141414141414, %r8
        cmp     %r8, %r14
        je      1f
        or      $0x10, %edx
1:      movabs  $0x1515151515151515, %r8
        cmp     %r8, %r15
        je      1f
        or      $0x20, %edx

1:      stmxcsr 24(%rsp)
        mov     24(%rsp), %r8d
        xor     (%rsp), %r8d
        test    $0xffc0, %r8d
        jz      1f
        or      $0x100, %edx
        ldmxcsr (%rsp)
1:      fnstenv 24(%rsp)
        movzwl  24(%rsp), %r8d
        cmp     4(%rsp), %r8w
        je      1f
        or      $0x200, %edx
1:      movzwl  32(%rsp), %r8d
        cmp     $0xffff, %r8d
        je      1f
        or      $0x400, %edx
        fninit
1:      fldcw   4(%rsp)

        mov     %edx, %r8d
        cmpb    $1, upper(%rip)
        jne     1f
        call    in_use
        jz      2f
        call    or_of_upper
        vptest  %xmm0, %xmm0
        vzeroupper
        jz      2f
        or      $0x800, %r8d
2:      call    tiles_in_use
        jz      1f
        .byte   0xc4, 0xe2, 0x78, 0x49, 0xc0    /* tilerelease */
        or      $0x1000, %r8d
1:      mov     %r8d, %eax
        add     $56, %rsp
        .cfi_adjust_cfa_offset -56
        pop     %r15
        .cfi_adjust_cfa_offset -8
        pop     %r14
        .cfi_adjust_cfa_offset -8
        pop     %r13
        .cfi_adjust_cfa_offset -8
        pop     %r12
        .cfi_adjust_cfa_offset -8
        pop     %rbx
        .cfi_adjust_cfa_offset -8
        pop     %rbp
        .cfi_adjust_cfa_offset -8
        ret
        .cfi_endproc
        .size   conform_abi_call, .-conform_abi_call

        /* ZF is clear if upper halves of ymm or zmm are not in their initial state: XINUSE bits 2
         * and 6. Changes eax, ecx, edx. */
in_use: mov     $1, %ecx
        xgetbv
        test    $0x44, %eax
        ret

        /* The same of tile registers and their configuration: bits 18 and 17. */
tiles_in_use:
        mov     $1, %ecx
        xgetbv
        test    $0x60000, %eax
        ret

        /* xmm0: all upper halves of ymm0 to ymm15, or of zmm0 to zmm15 where bit 6 of eax says that
         * they are in use, or-ed. Changes these registers. */
or_of_upper:
        test    $0x40, %eax
        jz      2f
        vextractf64x4 $1, %zmm0, %ymm16
        .irp    i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vextractf64x4 $1, %zmm\i, %ymm17
        vporq   %ymm17, %ymm16, %ymm16
        .endr
        vextractf32x4 $1, %ymm16, %xmm17
        vporq   %xmm17, %xmm16, %xmm16
        vextractf128 $1, %ymm0, %xmm0
        vporq   %xmm16, %xmm0, %xmm0
        jmp     3f
2:      vextractf128 $1, %ymm0, %xmm0
3:      .irp    i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
        vextractf128 $1, %ymm\i, %xmm\i
        vorps   %xmm\i, %xmm0, %xmm0
        .endr
        ret

/*
 * int conform_abi_checks_upper(void)
 *
 * AVX switched on by the system, XGETBV(1) there, and a trial: dirty shows, clean shows.
 */
        .globl  conform_abi_checks_upper
        .type   conform_abi_checks_upper, @function
        .hidden conform_abi_checks_upper
conform_abi_checks_upper:
        .cfi_startproc
        cmpb    $0, upper(%rip)
        jne     .Lknown
        movb    $2, upper(%rip)
        push    %rbx
        .cfi_adjust_cfa_offset 8
        mov     $1, %eax
        cpuid
        and     $0x18000000, %ecx
        cmp     $0x18000000, %ecx
        jne     .Ltried
        xor     %ecx, %ecx
        xgetbv
        and     $6, %eax
        cmp     $6, %eax
        jne     .Ltried
        mov     $13, %eax
        mov     $1, %ecx
        cpuid
        test    $4, %eax
        jz      .Ltried
        vxorps  %ymm0, %ymm0, %ymm0
        vcmpps  $15, %ymm0, %ymm0, %ymm0
        call    in_use
        jz      .Ltried
        vzeroupper
        call    in_use
        jnz     .Ltried
        movb    $1, upper(%rip)
.Ltried:
        pop     %rbx
        .cfi_adjust_cfa_offset -8
.Lknown:
        xor     %eax, %eax
        cmpb    $1, upper(%rip)
        sete    %al
        ret
        .cfi_endproc
        .size   conform_abi_checks_upper, .-conform_abi_checks_upper
        .section .note.GNU-stack, "", @progbits
