/* Macros that define a name of vec_vocabulary.h as a single instruction. */
#ifndef IFN_VEC_FORMS_H
#define IFN_VEC_FORMS_H

#define VEC_1(type, name, of, instruction)                                                         \
    static inline type name(of a)                                                                  \
    {                                                                                              \
        return instruction(a);                                                                     \
    }
#define VEC_2(type, name, of, instruction)                                                         \
    static inline type name(of a, of b)                                                            \
    {                                                                                              \
        return instruction(a, b);                                                                  \
    }

#endif
