#pragma once
#ifdef __cplusplus
extern "C" {
#endif
void count(void);
#ifdef __cplusplus
}
#endif
