/* Both headers after the words that <windows.h> and the headers it includes define as macros or types, in Microsoft's
   or MinGW's version. */
#include <assert.h>
#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__SSE2__) && !defined(__TINYC__)
  #include <emmintrin.h>
#endif

/* windef.h, minwindef.h */
#define near
#define far
#define NEAR
#define FAR
#define pascal
#define cdecl
#define huge
#define CDECL
#define PASCAL
#define CALLBACK
#define WINAPI
#define APIENTRY
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define TRUE 1
#define FALSE 0
#define STRICT 1
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))

/* winnt.h, winbase.h, winerror.h, wingdi.h, winuser.h */
#define DELETE 0x00010000L
#define INFINITE 0xffffffff
#define Yield()
#define NO_ERROR 0L
#define ERROR 0
#define ABSOLUTE 1
#define RELATIVE 2
#define ALTERNATE 1
#define WINDING 2
#define TRANSPARENT 1
#define OPAQUE 2
#define DIFFERENCE 11
#define CreateWindow CreateWindowA
#define DrawText DrawTextA
#define GetObject GetObjectA
#define LoadImage LoadImageA

/* rpcndr.h, objbase.h */
typedef unsigned char byte;
typedef unsigned char boolean;
#define small char
#define hyper long long
#define interface struct
#define THIS void
#define THIS_ void,
#define PURE

/* dlgs.h, excpt.h, winsock.h */
#define rad1 0x0420
#define chx1 0x0410
#define edt1 0x0480
#define lst1 0x0460
#define cmb1 0x0470
#define stc1 0x0440
#define psh1 0x0400
#define grp1 0x0430
#define frm1 0x0434
#define rct1 0x0438
#define ico1 0x043c
#define scr1 0x0490
#define ctl1 0x04A0
#define exception_code 0
#define exception_info 0
#define s_addr S_un.S_addr
#define h_addr h_addr_list[0]

#include "both.c"
