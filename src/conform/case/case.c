#include "case.h"

#include <string.h>

static const char *const tier_names[] = {
#define X(NAME, text, words) text,
    CONFORM_TIERS(X)
#undef X
};

static const char *const family_names[] = {
#define X(NAME, text, words) text,
    CONFORM_FAMILIES(X)
#undef X
};

static const char *const tier_words[] = {
#define X(NAME, text, words) words,
    CONFORM_TIERS(X)
#undef X
};

static const char *const family_words[] = {
#define X(NAME, text, words) words,
    CONFORM_FAMILIES(X)
#undef X
};

const char *conform_tier_words(conform_tier tier)
{
    return (size_t)tier < TIER_COUNT ? tier_words[tier] : "?";
}

const char *conform_family_words(conform_family family)
{
    return (size_t)family < FAMILY_COUNT ? family_words[family] : "?";
}

const char *conform_tier_name(conform_tier tier)
{
    return (size_t)tier < TIER_COUNT ? tier_names[tier] : "?";
}

const char *conform_family_name(conform_family family)
{
    return (size_t)family < FAMILY_COUNT ? family_names[family] : "?";
}

static int find_name(const char *const *names, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int conform_tier_from_name(const char *name)
{
    return find_name(tier_names, TIER_COUNT, name);
}

int conform_family_from_name(const char *name)
{
    return find_name(family_names, FAMILY_COUNT, name);
}

ifn_dtype conform_case_dtype(const conform_case *c, int i)
{
    return i > 0 && i <= c->n_more ? c->more[i - 1] : c->dtype;
}
