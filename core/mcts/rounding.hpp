// To be included before any arithmetic of the search, which is to come out the same on every
// machine: from here on no product and sum are rounded as one.
#pragma once

#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("fp-contract=off")
#endif
