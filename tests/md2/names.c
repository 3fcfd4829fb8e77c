/* Finding animations by frame names: md2_split_frame_names, and loading. Lists with known results, random lists,
   hostile lists, and the frame names of Quake II's models. Public domain. */
#include "quake2_names.h"
#include "test_md2.h"
#include "tests/both/work.h"

#include <ctype.h>

/* Returns the steps that the same function takes; see work.c. */
uint64_t work_of_split(const char *const *names, uint32_t count, const md2_options *options,
                       md2_anim *out, uint32_t capacity);

/* -- Lists of names, and the expected animations -------------------------- */

/* Names are separated by '|'. "stand[01..40]" is 40 names with two digits, "x*3" is three times x. The expected
   animations have names and numbers of frames, in the order of the file. */
enum { N = MD2_FRAME_NAMES, Q = MD2_QUAKE2_ANIMS, D = 0 };

#define ID16                                                                                       \
    "stand:40 run:6 attack:8 pain1:4 pain2:4 pain3:4 jump:6 flip:12 salute:11 taunt:17 wave:11 "   \
    "point:12 crstnd:19 crwalk:6 crattak:9 crpain:4"
#define ID20 ID16 " crdeath:5 death1:6 death2:6 death3:8"
#define P16                                                                                        \
    "stand[01..40]|run[1..6]|attack[1..8]|pain[101..104]|pain[201..204]|pain[301..304]|"           \
    "jump[1..6]|flip[01..12]|salute[01..11]|taunt[01..17]|wave[01..11]|point[01..12]|"             \
    "crstnd[01..19]|crwalk[1..6]|crattak[1..9]|crpain[1..4]"
#define P20 P16 "|crdeath[1..5]|death[101..106]|death[201..206]|death[301..308]"
#define SYDNEY16                                                                                   \
    "stand[1..40]|run[001..006]|attack[1..8]|pain[1..12]|jump[1..6]|flip[1..12]|salute[1..11]|"    \
    "taunt[001..017]|wave[1..11]|point[1..12]|crstnd[1..19]|crwalk[1..6]|crattak[1..9]|"           \
    "crpain[1..4]"

#define SLIPS                                                                                      \
    "pain[101..104]|pain[201..204]|pain[301..304]|jump[1..6]|a[1..5]|b[1..5]|c[1..5]|d[1..5]|"     \
    "e[1..5]|f[1..5]|g[1..5]|h[1..6]|i[1..8]|j[1..10]|k[1..67]"

typedef struct known {
    int         flags;
    const char *names, *expected;
} known;

static const known numbers[] = {
    { N, "stand[1..3]|run[1..2]", "stand:3 run:2" },
    { N, "idle|skinref|exploded", "idle:1 skinref:1 exploded:1" },
    { D, "frame*198", ID20 },
    { D, "frame*12", "frame:12" },
    { N, "frame1*5", "frame:5" },
    { N, "s-pain1-[1..4]|s-pain2-[1..4]|a-stand[001..040]", "s-pain1:4 s-pain2:4 a-stand:40" },
    /* a number before the name */
    { N, "001manstand[01..03]|160mancrattack[0..8]|90pain[001..004]",
         "manstand:3 mancrattack:9 pain:4" },
    { N, "038man_stand38|039man_stand39|040man_run00|041man_run01|9-7", "man_stand:2 man_run:2 9:1" },
    { N, "run.[1..3]|walk [1..3]|fly_-.[1..3]", "run:3 walk:3 fly:3" },
    { N, "Jump1|jump[2..6]|JUMP7", "Jump:7" }, /* the case is kept, but not compared */
    { N, "run3 |run4| run5|\trun6\t", "run:4" }, /* blanks */
    { N, "skin|skin[2..12]|skin|skin5|skin", "skin:15" }, /* numbers missing */
    { N, "fr_[0..5]|g_view|death_a[1..4]|stand7", "fr:6 g_view:1 death_a:4 stand:1" },
    { N, "E:\\MIJN DOCU000", "E:\\MIJN DOCU:1" },
    /* a word after a number belongs to the name */
    { N, "active1start|active2start", "active1start:1 active2start:1" },
    { N, "PAIN1HEAD|PAIN2LEGS|GUN01auto", "PAIN1HEAD:1 PAIN2LEGS:1 GUN01auto:1" }
};

/* Frame names that are file names of other programs. */
static const known files[] = {
    { N, "Walk ([1..12])|Walk (1)", "Walk:12 Walk#2:1" },
    { N, "run[1..8].bmp|run[1..4]", "run:8 run#2:4" },
    { N, "knight_run[1..6].mdl|knight_hit[1..4].md2|a[1..2].3ds", "knight_run:6 knight_hit:4 a:2" },
    { N, "Walk ([1..3]).bmp|1 ([1..3])|[1..3]) fly", "Walk:3 1:3 fly:3" },
    { N, "pain[101..104].lwo|pain[201..204].LWO", "pain1:4 pain2:4" },
    { N, "shotgun_stand[1..3].|shotgun_walk[1..3].m", "shotgun_stand:3 shotgun_walk:3" }, /* cut short */
    { N, "001.run1.lwo|002.run2.lwo|01.hit|02.hit|03.die", "run:2 hit:2 die:1" },
    /* not file names */
    { N, "run1.001|run1.002|v2.stop|v3.stop|a.b|.lwo*2|gun (long)", 
         "run1:2 v2.stop:1 v3.stop:1 a.b:1 .lwo:2 gun (long):1" }
};

static const known jumps[] = {
    { N, "wave00|wave03|wave06|wave09|wave12", "wave:5" },
    { N, "run[1..6]|run[1..6]|run[1..6]", "run:6 run#2:6 run#3:6" },
    { N, "run[1..2]|run[1..2]", "run:2 run#2:2" },
    { N, "frame[50..51]|frame51|frame51|frame52|frame*8|parts", "frame:13 parts:1" },
    /* other frames between them */
    { N, "body[071..073]|female[00..06]|body[081..090]|female[07..14]|body[099..100]", "body:30" },
    { N, "a1|pain1|a2|pain2", "a:1 pain:1 a#2:1 pain#2:1" },
    { N, "stand[1..40]|run[41..46]|stand[47..50]", "stand:40 run:6 stand#2:4" },
    { N, "o[1..7]|NewName|o[8..9]", "o:7 NewName:1 o#2:2" },
    { N, "death[01..22]|death33|death[24..50]", "death#2:23 death:27" },
    /* missing digits */
    { N, "pain[101..104]|pain[201..204]|pain[301..302]|pain[03..04]", "pain1:4 pain2:4 pain3:4" },
    /* numbers that fall do not start at a hundred */
    { N, "pain204|pain203|pain202|pain201|pain[301..304]|9|8|7|1", "pain:4 pain3:4 anim:3 anim#2:1" },
    { N, "w[100..112]|w123|w122|w121|w[124..130]", "w1:23" },
    { N, "shotgun_crstnd[0..9]|shotgun_crstnd1*9", "shotgun_crstnd:19" }, /* the last digits are cut off */
    { N, "crstnd[0..9]|crstnd1*9", "crstnd:10 crstnd#2:9" },
    { N, "a_long_character_run[1..9]|a_long_character_run[1..3]", /* longer than a name in a file */
         "a_long_character:9 a_long_character#2:3" },
    { N, "shotgun_crstnd[0..9]|shotgun_crstnd1*2|shotgun_crstnd[2..4]",
         "shotgun_crstnd:12 shotgun_crstnd#2:3" },
    /* 0 and 1 begin an animation */
    { N, "f[98..99]|f[00..03]|pain[299..300]|pain01", "f#2:2 f:4 pain:2 pain#2:1" },
    { N, "run1|run0|walk2|walk1", "run:1 run#2:1 walk:2" }
};

static const known hundreds[] = {
    { N, "stand[1..40].lwo|pain[101..104].lwo|pain[201..204].LWO", "stand:40 pain1:4 pain2:4" },
    { N, "death[301..308]", "death3:8" },
    { N, "pain[1001..1004]|pain[2001..2004]", "pain1:4 pain2:4" },
    { N, "wep-[16000..16004]|wep-[17000..17005]", "wep16:5 wep17:6" },
    { N, "pain1_001|pain1_002|pain 301|pain 302", "pain1:2 pain3:2" },
    { N, "walk[000..149]", "walk:150" },
    { N, "pain[111..114]|pain[221..224]", "pain:4 pain#2:4" },
    { N, "pain[101..104]|pain[206..208]|death[100..105]|death[200..205]",
      "pain1:4 pain:3 death1:6 death2:6" },
    { N, "pain_[101..104]|pain_[201..204]|b[1000..1002]", "pain1:4 pain2:4 b1:3" },
    { N, "attak1_[01..09]|attak[101..109]", "attak1:9 attak1#2:9" } /* two spellings of one name */
};

static const known middles[] = {
    { N, "walk[27..39]|walk[1..25]", "walk#2:13 walk:25" },
    { N, "walk[101..150]|walk[1..100]", "walk:150" },
    { N, "shotgun[001..135]|shotgun[001..063]", "shotgun:135 shotgun#2:63" },
    { N, "stand[30..50]|stand[0..29]|run[1..4]", "stand:51 run:4" },
    { N, "stand[30..50]|stand[2..29]", "stand#2:21 stand:28" },
    { N, "stand[90..110]|walk[101..250]", "stand:21 walk:150" },
    { N, "run[1..6]|run[3..8]", "run:6 run#2:6" }
};

static const known nothing[] = {
    { N, "", "anim:1" },
    { N, "*3", "anim:3" },
    { N, "crpain[1..4]|*25", "crpain:4 anim:25" },
    { N, "[100..111]|[002..040]|01001|01002|[9901..9904]", "anim1:12 anim:39 anim1#2:2 anim99:4" },
    { N, "_|-|12|anim13", "anim:4" }
};

static const known clashes[] = {
    { N, "abcdefghijklmnop|abcdefghijklmnopq1", "abcdefghijklmnop:1 abcdefghijklmnop#2:1" },
    { N, "abcdefghijklmnopqrst[301..304]", "abcdefghijklmno3:4" },
    { N, "x12345678901234567890", "x12345678901:1" }, /* the number has at most nine digits */
    { N, "\xf6l[1..3]|\xc3\xa9t\xc3\xa9[1..3]", "\xf6l:3 \xc3\xa9t\xc3\xa9:3" },
    { N, "run#[1..3]|#4|#5", "run:3 anim:2" },
    { N, "a1|b1|a1|a2|b1|A[1..3]|a1", "a#2:1 b:1 a#3:2 b#2:1 A:3 a#4:1" }
};

static const known table[] = {
    { N, P20, ID20 },
    { D, P20, ID20 },
    { Q, P20, ID20 },
    { D, "frame[000..197]", ID20 },
    { N, "frame[000..197]", "frame:198" },
    { D, SYDNEY16 "|crdeth[1..5]|death[1..20]", ID20 },
    { D, "Frame 1|NewName*197", ID20 },
    { D, "walk[000..098]|run[000..098]", ID20 }, /* one boundary does not contradict the table */
    { D, "a[1..60]|b[1..60]|c[1..78]", ID20 },
    { D, "a[1..50]|b[1..50]|c[1..50]|d[1..48]", "a:50 b:50 c:50 d:48" }, /* three do */
    /* a boundary after the first frame does not count */
    { D, "idle|a[1..50]|b[1..50]|c[1..50]|d[1..47]", "idle:1 a:50 b:50 c:50 d:47" },
    { D, "a[1..2]|b[1..59]|c[1..60]|d[1..77]", "a:2 b:59 c:60 d:77" },
    { D, "a[1..40]|b[1..6]|c[1..10]|d[1..10]|e[1..132]", ID20 }, /* half of four boundaries */
    { D, "a[1..40]|b[1..7]|c[1..10]|d[1..10]|e[1..131]", "a:40 b:7 c:10 d:10 e:131" },
    { D, "stand[1..40]|a[1..10]|b[1..50]|c[1..98]", "stand:40 a:10 b:50 c:98" },
    { D, "stand[1..40]|run[1..6]|a[1..54]|b[1..50]|c[1..48]", ID20 },
    /* 7 of 17 boundaries are in the table, 6 of 16 */
    { D, "stand[01..40]|run[1..6]|attack[1..8]|" SLIPS, ID20 },
    { D, "stand[01..40]|run[1..14]|" SLIPS,
         "stand:40 run:14 pain1:4 pain2:4 pain3:4 jump:6 a:5 b:5 c:5 d:5 e:5 f:5 g:5 h:6 i:8 j:10 "
         "k:67" },
    { D, "stand[01..40]|run[1..6]|attack[1..8]|" SLIPS "|l[1..70]", ID20 " l:70" },
    { D, "frame[000..196]", "frame:197" },
    { D, "frame[000..171]", "frame:172" },
    { D, "frame[000..175]", "frame:176" },
    { D, "Frame 1|Pistol[002..174]|Pistol201", ID16 " Pistol:1 Pistol2:1" },
    { D, "stand01|weapon*173", ID16 " weapon:1" }
};

/* Frame names that make an animation longer or shorter than in the table. */
#define LETTERS_TO_J                                                                               \
    "a[1..40]|b[1..6]|c[1..8]|d[1..4]|e[1..4]|f[1..4]|g[1..6]|h[1..12]|i[1..11]|j[1..17]"
#define ID_TO_SALUTE                                                                               \
    "stand:40 run:6 attack:8 pain1:4 pain2:4 pain3:4 jump:6 flip:12 salute:11"
#define ID_TO_TAUNT ID_TO_SALUTE " taunt:17"
#define ID_FROM_CRDEATH "crdeath:5 death1:6 death2:6 death3:8"

static const known moved[] = {
    /* one more frame in wave moves all following animations */
    { D, LETTERS_TO_J "|k[1..12]|l[1..12]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]",
         ID_TO_TAUNT " wave:12 point:12 crstnd:19 crwalk:6 crattak:9 crpain:4 " ID_FROM_CRDEATH },
    { Q, LETTERS_TO_J "|k[1..12]|l[1..12]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]", ID20 " t:1" },
    /* three frames fewer are accepted, four are not */
    { D, LETTERS_TO_J "|k[1..8]|l[1..15]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]",
         ID_TO_TAUNT " wave:8 point:15 crstnd:19 crwalk:6 crattak:9 crpain:4 " ID_FROM_CRDEATH },
    { D, LETTERS_TO_J "|k[1..7]|l[1..16]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]", ID20 },
    /* three frames more are accepted, four are not */
    { D, LETTERS_TO_J "|k[1..14]|l[1..9]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]",
         ID_TO_TAUNT " wave:14 point:9 crstnd:19 crwalk:6 crattak:9 crpain:4 " ID_FROM_CRDEATH },
    { D, LETTERS_TO_J "|k[1..15]|l[1..8]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]", ID20 },
    /* one fewer in point, one more in crdeath */
    { D, LETTERS_TO_J "|k[1..11]|l[1..11]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..6]|r[1..6]|s[1..6]|"
         "t[1..8]",
         ID_TO_TAUNT " wave:11 point:11 crstnd:19 crwalk:6 crattak:9 crpain:4 crdeath:6 death1:6 "
         "death2:6 death3:8" },
    /* pain1 to pain3 have one name, and so have death1 to death3 */
    { D, "stand[0..39]|run[0..5]|attack[1..8]|pain[0..11]|jump[0..5]|flip[1..13]|salute[0..10]|"
         "taunt[0..16]|wave[0..10]|point[0..11]|crstand[0..18]|crwalk[0..5]|crattack[0..8]|"
         "crpain[0..3]|crdeath[0..4]|death[0..19]",
         "stand:40 run:6 attack:8 pain1:4 pain2:4 pain3:4 jump:6 flip:13 salute:11 taunt:17 "
         "wave:11 point:12 crstnd:19 crwalk:6 crattak:9 crpain:4 " ID_FROM_CRDEATH },
    { D, "stand[1..39]|run[1..6]|attack[1..8]|pain[101..104]|pain204|pain203|pain202|"
         "pain201|pain[301..304]|jump[1..6]|flip[01..12]|salute[01..11]|taunt[01..18]|wave[01..11]|"
         "point[01..12]|crstnd[01..19]|crwalk[1..6]|crattak[1..9]|crpain[1..4]|crdeath[1..6]|"
         "death[11..16]|death[21..26]|death[1..7]",
         "stand:39 run:6 attack:8 pain1:4 pain2:4 pain3:4 jump:6 flip:12 salute:11 taunt:18 wave:11 "
         "point:12 crstnd:19 crwalk:6 crattak:9 crpain:4 crdeath:6 death1:6 death2:6 death3:7" },
    /* the last animation ends with the model */
    { D, LETTERS_TO_J "|k[1..13]|l[1..12]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..7]",
         ID_TO_TAUNT " wave:13 point:12 crstnd:19 crwalk:6 crattak:9 crpain:4 crdeath:5 death1:6 "
         "death2:6 death3:7" },
    { D, LETTERS_TO_J "|k[1..12]|l[1..12]|m[1..19]|n[1..6]|o[1..9]|p[1..4]",
         ID_TO_TAUNT " wave:12 point:12 crstnd:19 crwalk:6 crattak:9 crpain:4" },
    { D, LETTERS_TO_J "|k[1..12]|l[1..12]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|s[1..6]|"
         "t[1..8]|left[1..9]",
         ID_TO_TAUNT " wave:12 point:12 crstnd:19 crwalk:6 crattak:9 crpain:4 " ID_FROM_CRDEATH
         " left:9" },
    /* a single frame with another name is not an animation */
    { D, LETTERS_TO_J "|k[1..10]|view|l[1..12]|m[1..19]|n[1..6]|o[1..9]|p[1..4]|q[1..5]|r[1..6]|"
         "s[1..6]|t[1..8]", ID20 }
};

static const known words[] = {
    { D, "stand[01..37]|gun*76|This|is|the|gun|to|my|Model*5|I|hope|you|like|it|gun*44", ID16 },
    { D, "Frame 1|o_[01..99]|or_00|NewName|or_[01..96]", ID20 },
    { D, "frame03|NewName|frame[04..40]|NewName|frame[41..209]|NewName*2|parts",
         ID20 " frame:11 NewName:2 parts:1" },
    { D, "Frame 1|body[001..073]|female[00..06]|body[081..124]|female[07..14]|body[133..197]|body|skin",
         ID20 " body:1 skin:1" },
    { D, "one[1..100]|two[1..99]", ID20 " two:1" },
    { D, "one[1..100]|two[1..100]", "one:100 two:100" },
    { D, "shotgun[001..173]", ID16 },
    { D, "shotgun[000..173]", ID16 " shotgun:1" },
    { D, P16 "|g_view", ID16 " g_view:1" },
    { D, "Frame 1|" P16, "Frame:1 " ID16 },
    { D, "Frame 1|" P20, "Frame:1 " ID20 },
    { D, "Frame 1|" SYDNEY16 "|crdeth[1..5]|death[1..20]", "Frame:1 " ID20 },
    { D, P20 "|skin", ID20 " skin:1" },
    { D, P20 "|base|stand1", ID20 " base:1 stand#2:1" },
    { D, "Frame 1|" P20 "|skin", "Frame:1 " ID20 " skin:1" },
    { D, "Frame 1|crafty[001..198]", ID20 " crafty:1" }, /* nothing shows that the table is moved */
    { D, "base|NewName*198|skin", ID20 " NewName:1 skin:1" },
    { D, P20 "|skin9|a1|skin[1..3]", ID20 " skin#2:1 a:1 skin:3" },
    { D, P20 "|jetpck[1..10]|trnsdn[1..9]|trnsup[1..10]|left15|right15",
         ID20 " jetpck:10 trnsdn:9 trnsup:10 left:1 right:1" },
    { D, "gun[000..207]", ID20 " gun:10" },
    { D, "frame[000..299]", "frame:300" }, /* too many frames for a player without matching names */
    { D, "walk[000..099]|run[000..099]", "walk:100 run:100" },
    { D, P16 "|idle[01..16]", ID16 " idle:16" } /* 189 frames: by names */
};

static const known forced[] = {
    { Q, "frame[0..197]", ID20 },
    { Q, "x*50", "stand:40 run:6 attack:4" },
    { Q, "x*174", ID16 " crdeath:1" },
    { Q, "a[1..50]|b[1..50]|c[1..50]|d[1..50]|e[1..50]", ID20 " d:2 e:50" },
    { Q, "frame[000..299]", ID20 " frame:102" }
};

#define TOPIC(list) { list, sizeof list / sizeof list[0] }
static const struct { const known *list; size_t count; } topics[] = {
    TOPIC(numbers), TOPIC(files), TOPIC(jumps), TOPIC(hundreds), TOPIC(middles), TOPIC(nothing),
    TOPIC(clashes), TOPIC(table), TOPIC(moved), TOPIC(words), TOPIC(forced)
};

/* Returns list number `number`, or NULL after the last. */
static const known *known_list(size_t number)
{
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; number -= topics[i++].count) {
        if (number < topics[i].count) return &topics[i].list[number];
    }
    return NULL;
}

#define MOST 65536u /* the largest number of frames of a model */
#define ROOM 48u

static struct {
    char text[MOST][ROOM];
    const char *list[MOST];
    uint32_t count;
} names;

static md2_anim got[MOST], again[MOST];

/* Adds a name and returns its buffer. */
static char *add_name(void)
{
    if (names.count == MOST) abort();
    names.list[names.count] = names.text[names.count];
    return names.text[names.count++];
}

static void add_item(char *item)
{
    char *open = strchr(item, '['), *dots = strstr(item, ".."), *close = strchr(item, ']');
    char *star = strchr(item, '*');
    int number = 1, last = star ? atoi(star + 1) : 1, width;
    if (star) *star = 0;
    if (!open || !dots || !close) {
        for (; number <= last; ++number) strcpy(add_name(), item);
        return;
    }
    *open++ = 0;
    width = (int)(dots - open);
    last = atoi(dots + 2);
    for (number = atoi(open); number <= last; ++number) {
        int length = snprintf(add_name(), ROOM, "%s%0*d%s", item, width, number, close + 1);
        if (length >= (int)ROOM) abort();
    }
}

static void add_names(const char *spec)
{
    size_t length;
    char item[ROOM];
    for (;; spec += length + 1) {
        length = strcspn(spec, "|");
        if (length >= sizeof item) abort();
        memcpy(item, spec, length);
        item[length] = 0;
        add_item(item);
        if (!spec[length]) return;
    }
}

static void make_names(const char *spec)
{
    names.count = 0;
    add_names(spec);
}

static uint32_t split(int flags)
{
    md2_options options = options_of((uint32_t)flags);
    return md2_split_frame_names(names.list, names.count, &options, got, MOST);
}

/* Returns animations as a text such as "stand:40 run:6". */
static const char *describe(const md2_anim *anims, uint32_t count)
{
    static char text[20000];
    size_t used = 0;
    text[0] = 0;
    for (uint32_t i = 0; i < count && used + 64 < sizeof text; ++i) {
        used += (size_t)sprintf(text + used, "%s%.*s:%lu", i ? " " : "", (int)sizeof anims->name,
                                anims[i].name, (unsigned long)anims[i].count);
    }
    return text;
}

static const char *describe_split(int flags) { return describe(got, split(flags)); }

/* -- Properties of all results -------------------------------------------- */

static int compare_names(const char *x, const char *y)
{
    while (*x && tolower((unsigned char)*x) == tolower((unsigned char)*y)) ++x, ++y;
    return tolower((unsigned char)*x) - tolower((unsigned char)*y);
}

static int compare_anims(const void *a, const void *b)
{
    return compare_names((*(const md2_anim *const *)a)->name, (*(const md2_anim *const *)b)->name);
}

/* Checks that each frame belongs to one animation, in order, and that the names differ, ignoring case. Returns the
   first fault, or "". */
static const char *fault_of(const md2_anim *anims, uint32_t count, uint32_t frames, float fps)
{
    static const md2_anim *sorted[MOST];
    uint32_t               at = 0;
    for (uint32_t i = 0; i < count; ++i) {
        const md2_anim *anim = sorted[i] = &anims[i];
        if (anim->first != at || !anim->count) return "frames left out, or taken twice";
        if (!anim->name[0] || !memchr(anim->name, 0, sizeof anim->name)) return "a name is none";
        if (anim->fps != fps) return "another rate";
        at += anim->count;
    }
    if (at != frames) return "not as many frames as names";
    qsort(sorted, count, sizeof sorted[0], compare_anims);
    for (uint32_t i = 1; i < count; ++i) {
        if (compare_anims(&sorted[i - 1], &sorted[i]) == 0) return "a name twice";
    }
    return "";
}

/* Checks that an array with room for `capacity` animations gets the first of them, that nothing is written after it,
   and that the count is the same. Names are not compared, because "#2" depends on which animations are there. */
static bool fits_into(uint32_t capacity, uint32_t count, int flags)
{
    md2_options options = options_of((uint32_t)flags);
    uint32_t    frames = 0;
    md2_anim    untouched;
    memset(&untouched, 0x55, sizeof untouched);
    again[capacity] = untouched;
    if (md2_split_frame_names(names.list, names.count, &options, NULL, capacity) != count ||
        md2_split_frame_names(names.list, names.count, &options, again, capacity) != count) {
        return false;
    }
    for (uint32_t i = 0; i < capacity; ++i) {
        if (again[i].first != got[i].first || again[i].count != got[i].count) return false;
        frames += got[i].count;
    }
    return !memcmp(&again[capacity], &untouched, sizeof untouched) &&
           !fault_of(again, capacity, frames, 10)[0];
}

/* Returns the first fault of the animations in `got`, or "". */
static const char *fault(uint32_t count, int flags)
{
    const char *found = fault_of(got, count, names.count, 10);
    if (found[0]) return found;
    if (!fits_into(0, count, flags)) return "capacity 0";
    if (!fits_into(count / 2, count, flags)) return "half the capacity";
    return fits_into(count - 1, count, flags) ? "" : "room for all but one";
}

/* -- Known results -------------------------------------------------------- */

static void test_split(void)
{
    static const char *const frames[] = { "stand1", "stand2", "run1", "run2", "run3" };
    md2_anim anims[2];
    CHECK_EQ(md2_split_frame_names(frames, 5, NULL, anims, 2), 2);
    CHECK_TEXT(anims[1].name, "run");
    CHECK_EQ(anims[1].first, 2);
    CHECK_EQ(anims[1].count, 3);
    CHECK_EQ(anims[1].fps, 10);
    CHECK_EQ(md2_split_frame_names(frames, 5, NULL, anims, 1), 2); /* there is no room for both */
}

/* The loader refuses both flags together; md2_split_frame_names uses the frame names. Other flags have no effect. */
static void test_flags(void)
{
    int other = MD2_Y_UP | MD2_KEEP_WINDING | MD2_FLIP_V;
    make_names("frame*198");
    CHECK_TEXT(describe_split(D), ID20);
    CHECK_TEXT(describe_split(N), "frame:198");
    CHECK_TEXT(describe_split(other), ID20);
    CHECK_TEXT(describe_split(N | other), "frame:198");
    make_names("walk[1..50]");
    CHECK_TEXT(describe_split(D), "walk:50");
    CHECK_TEXT(describe_split(Q), "stand:40 run:6 attack:4");
    CHECK_TEXT(describe_split(N | Q), "walk:50");
}

static void check_known(const known *list, size_t count)
{
    for (const known *one = list; one < list + count; ++one) {
        check_scene("flags %d, frames %s", one->flags, one->names);
        make_names(one->names);
        CHECK_TEXT(describe_split(one->flags), one->expected);
        CHECK_TEXT(fault(split(one->flags), one->flags), "");
    }
}

#define CHECK_KNOWN(list) check_known(list, sizeof list / sizeof list[0])
static void test_numbers(void) { CHECK_KNOWN(numbers); }
static void test_files(void) { CHECK_KNOWN(files); }
static void test_jumps(void) { CHECK_KNOWN(jumps); }
static void test_hundreds(void) { CHECK_KNOWN(hundreds); }
static void test_middles(void) { CHECK_KNOWN(middles); }
static void test_nothing_to_go_by(void) { CHECK_KNOWN(nothing); }
static void test_clashes(void) { CHECK_KNOWN(clashes); }

static void test_name_begins(void)
{
    static const char text[3][8] = { "71", "52", "9.lwo" };
    const char *const begins[3] = { text[0] + 1, text[1] + 1, text[2] + 1 };
    md2_options       options = options_of(MD2_FRAME_NAMES);
    md2_anim          anims[3];
    CHECK_EQ(md2_split_frame_names(begins, 3, &options, anims, 3), 2);
    CHECK_TEXT(anims[0].name, "anim"); /* the numbers are 1 and 2, not 71 and 52 */
    CHECK_EQ(anims[0].count, 2);
    CHECK_TEXT(anims[1].name, ".lwo"); /* after a 9 it would be an extension */
}
static void test_table(void) { CHECK_KNOWN(table); }
static void test_moved(void) { CHECK_KNOWN(moved); }
static void test_words(void) { CHECK_KNOWN(words); }
static void test_forced_table(void) { CHECK_KNOWN(forced); }

/* A converter may write the names of the animations that it read: run, walk, and a second run. */
static void test_numbered(void)
{
    make_names("run[1..6]|walk[1..4]|run[1..2]");
    CHECK_TEXT(describe_split(N), "run:6 walk:4 run#2:2");
    make_names("run[1..6]|walk[1..4]|run#2_[1..2]");
    CHECK_TEXT(describe_split(N), "run:6 walk:4 run#2:2");
}

/* -- Arguments ------------------------------------------------------------ */

static void test_missing_names(void)
{
    static const char *const holes[] = { NULL, "run1", NULL, NULL, "run2", "", NULL };
    md2_options options = options_of(N);
    uint32_t    count = md2_split_frame_names(holes, 7, &options, got, MOST);
    CHECK_TEXT(describe(got, count), "anim#2:1 run:1 anim:2 run#2:1 anim#3:2");
    make_names(P20);
    for (uint32_t i = 0; i < 198; ++i) names.list[i] = NULL;
    CHECK_TEXT(describe_split(N), "anim:198");
    CHECK_TEXT(describe_split(D), ID20);

    check_step("no list, or an empty list");
    for (uint32_t i = 0; i < 3; ++i) {
        options.flags = i == 1 ? (uint32_t)Q : (uint32_t)N;
        CHECK_EQ(md2_split_frame_names(NULL, i == 2 ? 7 : 0, i ? &options : NULL, got, MOST), 0);
        CHECK_EQ(md2_split_frame_names(holes, 0, &options, NULL, 0), 0);
    }
}

static void test_rate(void)
{
    const float asked[] = { 0.0f, -0.0f, -25.0f, (float)HUGE_VAL, (float)-HUGE_VAL,
                            (float)not_a_number(), 24.0f, 0.125f, 1e30f };
    for (uint32_t i = 0; i < 18; ++i) {
        md2_options options = options_of(i < 9 ? N : Q);
        options.fps = asked[i % 9];
        check_step("rate %g, flags %u", (double)asked[i % 9], (unsigned)options.flags);
        make_names(i < 9 ? "run[1..6]|walk[1..4]|run[1..6]" : "x*198");
        uint32_t count = md2_split_frame_names(names.list, names.count, &options, got, MOST);
        CHECK_EQ(count, i < 9 ? 3 : 20);
        CHECK_TEXT(fault_of(got, count, names.count, i % 9 < 6 ? 10 : asked[i % 9]), "");
    }
}

static void test_long_names(void)
{
    static char text[2][5001];
    const char *list[3];
    md2_options options = options_of(N);
    list[0] = list[2] = text[0];
    list[1] = text[1];
    for (size_t length = 1; length <= 5000; length += length < 40 ? 1 : 620) {
        check_step("names of %u letters", (unsigned)length);
        memset(text[0], 'x', length);
        memset(text[1], 'y', length);
        text[0][length] = text[1][length] = 0;
        CHECK_EQ(md2_split_frame_names(list, 3, &options, got, MOST), 3);
        CHECK_TEXT(fault_of(got, 3, 3, 10), "");
        CHECK_EQ(strspn(got[0].name, "x"), length < 16 ? length : 16);
        CHECK_TEXT(got[2].name + strspn(got[2].name, "x"), "#2");
        memset(text[0], '7', 5000);
        CHECK_EQ(md2_split_frame_names(list, 1, &options, got, MOST), 1);
        CHECK_TEXT(fault_of(got, 1, 1, 10), "");
    }
}

/* -- Random lists --------------------------------------------------------- */

/* Makes a list of two known lists, with some names swapped, cut short or replaced by random bytes. */
static void make_random_names(random_source *random)
{
    static const char bytes[] = "aA01(_ .9b)\x80\xff";
    uint32_t slips = random_below(random, 60), lists = 0;
    while (known_list(lists)) ++lists;
    make_names(known_list(random_below(random, lists))->names);
    if (slips % 2) add_names(known_list(random_below(random, lists))->names);
    for (; slips > 0; --slips) {
        char *name = names.text[random_below(random, names.count)];
        switch (random_below(random, 3)) {
        case 0: name[random_below(random, (uint32_t)strlen(name) + 1)] = 0; break;
        case 1: memmove(name, names.text[random_below(random, names.count)], ROOM); break;
        default: name[random_below(random, 3)] = bytes[random_below(random, sizeof bytes)]; break;
        }
    }
}

static void test_random(void)
{
    static const int flags[] = { D, N, Q, N | Q };
    random_source random = { 1 };
    unsigned long anims = 0, players = 0;
    check_scene("seed 1");
    for (unsigned long lists = 0; lists < (check_is_quick() ? 1000 : 10000); ++lists) {
        make_random_names(&random);
        check_step("list %lu, flags %d", lists, flags[lists % 4]);
        uint32_t count = split(flags[lists % 4]);
        CHECK_TEXT(fault(count, flags[lists % 4]), "");
        anims += count;
        players += lists % 4 == 0 && strncmp(describe(got, count), ID16, strlen(ID16)) == 0;
    }
    CHECK(anims > 0 && players > 0);
}

/* -- The frame names of Quake II's models --------------------------------- */

/* Checks that each move of a monster is inside one animation, and returns the number of moves. Some moves run backward,
   such as "21-0". */
static uint32_t check_moves(const char *moves, uint32_t anims)
{
    uint32_t count = 0, i;
    unsigned first, last;
    int      used;
    for (; sscanf(moves, "%u-%u%n", &first, &last, &used) == 2; moves += used, ++count) {
        unsigned low = first < last ? first : last, high = first + last - low;
        check_step("the move from frame %u to %u", first, last);
        for (i = 0; i < anims; ++i) {
            if (low >= got[i].first && high < got[i].first + got[i].count) break;
        }
        CHECK(i < anims);
    }
    return count;
}

static void test_quake2(void)
{
    uint32_t count, frames = 0, anims = 0, moves = 0;
    char     by_names[4000];
    for (uint32_t i = 0; i < QUAKE2_MODELS; ++i) {
        check_scene("%s", quake2_names[i].model);
        make_names(quake2_names[i].names);
        count = split(N);
        CHECK_TEXT(fault(count, N), "");
        frames += names.count;
        anims += count;
        moves += check_moves(quake2_names[i].moves, count);
        strcpy(by_names, describe(got, count));
        CHECK_TEXT(describe_split(D), by_names);
        if (strcmp(quake2_names[i].model, "player") == 0) CHECK_TEXT(by_names, ID20);
    }
    check_scene("all models");
    CHECK_EQ(frames, 5432);
    CHECK_EQ(anims, 295);
    CHECK_EQ(moves, 307);
}

static void test_other_stories(void)
{
    const md2_options options = options_of(D);
    unsigned long windows = 0, players = 0;
    for (uint32_t i = 0; i < QUAKE2_MODELS; ++i) {
        if (strcmp(quake2_names[i].model, "player") == 0) continue;
        make_names(quake2_names[i].names);
        for (uint32_t first = 0; first + 198 <= names.count; ++first, ++windows) {
            uint32_t count = md2_split_frame_names(names.list + first, 198, &options, got, MOST);
            players += strcmp(describe(got, count), ID20) == 0;
        }
    }
    printf("    taken for a player: %lu (at most 20)\n", players);
    CHECK_EQ(windows, 1379);
    CHECK(players <= 20);
}

/* -- Loading -------------------------------------------------------------- */

/* Returns a model of one triangle with these names, cut to 16 bytes. */
static m2_bytes *model_of_names(void)
{
    m2_file file;
    m2_begin(&file, 0, 3, 1, 1, 0, names.count);
    file.tris[1] = 1;
    file.tris[2] = 2;
    for (uint32_t i = 0; i < names.count; ++i) {
        m2_frame(&file, i, names.list[i], 1.0f, 0.0f);
        m2_set_point(&file, i, 1, 100, 0, 0, 0);
        m2_set_point(&file, i, 2, 0, 100, 0, 0);
    }
    return written(&file);
}

/* Finds each animation by its name, in upper and lower case. */
static void check_found_by_name(const md2_model *model)
{
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        char name[sizeof model->anims[i].name], *at = name;
        strcpy(name, model->anims[i].name);
        for (; *at; ++at) *at = (char)(i % 2 ? toupper : tolower)((unsigned char)*at);
        check_step("the animation %s", name);
        CHECK(md2_find_anim(model, name) == &model->anims[i]);
    }
}

/* Loads a model with these names and compares its animations. Returns false if a model cannot have them. */
static bool check_loaded(const char *spec, int flags)
{
    md2_options options = options_of((uint32_t)flags);
    char        expected[4000];
    check_scene("flags %d, frames %s", flags, spec);
    make_names(spec);
    for (size_t i = 0; i < names.count; ++i) {
        if (strlen(names.text[i]) > 16) return false;
    }
    strcpy(expected, describe_split(flags));
    options.fps = 12.5f;
    md2_model *model = load_with(model_of_names(), &options);
    CHECK_TEXT(describe(model->anims, model->anim_count), expected);
    CHECK_TEXT(fault_of(model->anims, model->anim_count, model->frame_count, 12.5f), "");
    check_found_by_name(model);
    return true;
}

static void test_loaded_names(void)
{
    unsigned long loaded = 0;
    for (size_t i = 0; known_list(i); ++i)
        loaded += check_loaded(known_list(i)->names, known_list(i)->flags);
    for (size_t i = 0; i < QUAKE2_MODELS; ++i) loaded += check_loaded(quake2_names[i].names, D);
    CHECK(loaded > 0);
}

static void test_find_by_frames(void)
{
    static const struct { const char *name; int anim; } sought[] = {
        { "WALK", 7 }, { "flip", 7 }, { "punch1", 3 }, { "idle", 0 }, { "crattack", 14 },
        { "crattak", 14 }, { "punch", -1 }, { "walk01", -1 }, { "x", 19 } /* the longest of four animations */
    };
    make_names("walk01|idle[02..39]|idle40|run[1..6]|attack[1..8]|punch[101..104]|pain[201..204]|"
               "pain[301..304]|jump[1..6]|walk[01..12]|salute[01..11]|taunt[01..17]|wave[01..11]|"
               "point[01..12]|crstnd[01..19]|crwalk[1..6]|crattack[1..9]|crpain[1..4]|x*25");
    md2_model *m = load(model_of_names(), D);
    CHECK_TEXT(describe(m->anims, m->anim_count), ID20);
    for (size_t i = 0; i < sizeof sought / sizeof sought[0]; ++i) {
        const md2_anim *found = md2_find_anim(m, sought[i].name);
        check_step("looking for %s", sought[i].name);
        CHECK_EQ(found ? found - m->anims : -1, sought[i].anim);
    }
}

static void test_find(void)
{
    static const char *const absent[] = { "ru", "runs", "pai", "pain1x", "", NULL };
    make_names("frame*198");
    md2_model *nameless = load(model_of_names(), D), *m = load_named("player", 0);
    CHECK(md2_find_anim(m, "run") == &m->anims[1]);
    CHECK(md2_find_anim(nameless, "RUN") == &nameless->anims[1]);
    for (int i = 0; i < 6; ++i) CHECK(md2_find_anim(m, absent[i]) == NULL);

    CHECK_EQ(md2_find_frame(m, "run3"), 42);
    CHECK_EQ(md2_find_frame(m, "STAND01"), 0);
    CHECK_EQ(md2_find_frame(m, "death308"), 197);
    CHECK_EQ(md2_find_frame(m, "run"), -1);
    CHECK_EQ(md2_find_frame(m, "run33"), -1);
    CHECK_EQ(md2_find_frame(m, ""), -1);
}

/* "pain" finds pain2, the lowest number, wherever it is in the list, but not pain3 or pain2#2. */
static void test_find_family(void)
{
    static const struct { const char *name, *found; } sought[] = {
        { "pain", "pain2" }, { "PAIN", "pain2" }, { "death", "death" }, { "pain1", "none" },
        { "pai", "none" }
    };
    make_names("pain[301..304]|pain[201..204]|stand[1..9]|pain[201..204]|death[101..103]|stand*3|"
               "death[1..4]");
    md2_model *m = load(model_of_names(), N);
    for (size_t i = 0; i < sizeof sought / sizeof sought[0]; ++i) {
        const md2_anim *found = md2_find_anim(m, sought[i].name);
        check_scene("%s in %s", sought[i].name, describe(m->anims, m->anim_count));
        CHECK_TEXT(found ? found->name : "none", sought[i].found);
    }
    md2_model *player = load_named("player", 0);
    CHECK_TEXT(md2_find_anim(player, "pain")->name, "pain1");
    CHECK_TEXT(md2_find_anim(player, "death")->name, "death1");

    /* The frames of all three deaths have one name. death3 has the most frames, but death1 is found. */
    make_names(SYDNEY16 "|crdeth[1..5]|death[00..19]");
    player = load(model_of_names(), D);
    CHECK_TEXT(describe(player->anims, player->anim_count), ID20);
    CHECK_TEXT(md2_find_anim(player, "death")->name, "death1");
}

/* -- Hostile lists -------------------------------------------------------- */

enum { DISTINCT, EQUAL, IN_TURN, JUMPS, FALLING, SIGNS, EMPTY, CYCLES, HOSTILE };

static void make_hostile(int kind, uint32_t count)
{
    unsigned long digits;
    names.count = 0;
    for (unsigned long i = 0; i < count; ++i) {
        char *name = add_name();
        switch (kind) {
        case DISTINCT: /* without digits, because digits at the end are a frame number */
            for (digits = i; digits > 0; digits /= 26) *name++ = (char)('a' + digits % 26);
            strcpy(name, "_");
            break;
        case EQUAL:    strcpy(name, "same7"); break;
        case IN_TURN:  sprintf(name, "abcdefghijklmno%c", i % 2 ? 'q' : 'p'); break;
        case JUMPS:    sprintf(name, "a%lu", 1 + (i % 100 ? i * 200 % 999999 : 0)); break;
        case FALLING:  sprintf(name, "a%lu", count - i); break;
        case SIGNS:    sprintf(name, "a%s%lu_1", i % 3 ? "#" : "", i % 50); break;
        case CYCLES:   sprintf(name, "w%lu", i % 64 < 32 ? 150 + i % 64 : i % 64 - 32); break;
        default:       name[0] = 0; break;
        }
    }
}

static double steps_of(int kind, size_t count)
{
    make_hostile(kind, (uint32_t)count);
    return (double)work_of_split(names.list, (uint32_t)count, NULL, got, MOST) / (double)count;
}

/* A name takes hundreds of steps if the work is proportional to n or n log n, and tens of thousands if it is
   proportional to n squared. A list that takes too long ends the test. */
static void test_hostile(void)
{
    static const uint32_t counts[HOSTILE] = { MOST, 1, MOST, 0, 0, 0, 1, MOST / 32 };
    if (!check_is_quick()) check_linear_work(steps_of, HOSTILE, MOST / 4, 400, 1.2, 0);
    for (int kind = 0; kind < HOSTILE; ++kind) {
        check_scene("hostile list %d", kind);
        make_hostile(kind, MOST);
        CHECK_TEXT(fault(split(D), D), "");
        if (counts[kind]) CHECK_EQ(split(N), counts[kind]);
        if (kind == IN_TURN) CHECK_TEXT(got[MOST - 1].name, "abcdefghijklmnoq#65536");
    }
}

static void test_most_anims(void)
{
    make_hostile(IN_TURN, MOST);
    md2_model *model = load(model_of_names(), N);
    CHECK_EQ(model->anim_count, MOST);
    CHECK_TEXT(fault_of(model->anims, MOST, MOST, 10), "");
}

void test_names(void)
{
    RUN(test_split, "the frames run1, run2, run3 are the animation run");
    RUN(test_flags, "names come from the frames, from the player table, or from the better of both");
    RUN(test_find, "animations and frames are found by their names, in any case");
    RUN(test_find_family, "a name without its number finds the animation of the lowest number");
    RUN(test_rate, "all animations have the requested rate; an invalid rate becomes 10");
    RUN(test_missing_names, "a frame without a name belongs to an animation called anim");
    RUN(test_numbers, "frames whose names differ only in a number are an animation");
    RUN(test_files, "the brackets and the extension of a file do not count");
    RUN(test_hundreds, "each hundred is an animation: pain101 is the first of pain1");
    RUN(test_jumps, "a jump in the numbers begins an animation, unless all numbers jump in the same way");
    RUN(test_middles, "a cycle that was saved from its middle on is one animation");
    RUN(test_nothing_to_go_by, "frames whose names have no letters belong to animations called anim");
    RUN(test_name_begins, "bytes in memory before a name are not part of it");
    RUN(test_clashes, "of two animations with one name, the shorter is #2");
    RUN(test_numbered, "run#2, the name of a second run, is also read from a file");
    RUN(test_table, "198 frames are a player model unless their names contradict it");
    RUN(test_moved, "an animation of the table begins where the names say, if that is near");
    RUN(test_words, "frame names that are words of the author do not hide a player model");
    RUN(test_forced_table, "MD2_QUAKE2_ANIMS takes the table for any number of frames");
    RUN(test_find_by_frames, "with names from the table, the names in the file are also found");
    RUN(test_long_names, "a long name keeps its beginning, its number and its end");
    RUN(test_quake2, "the animations of Quake II's models are found, and none is split");
    RUN(test_other_stories, "198 frames of a monster are seldom taken for a player");
    RUN(test_loaded_names, "a model has the animations of its frame names");
    RUN(test_random, "in random lists, each frame is in one animation, and names differ");
    RUN(test_hostile, "the work is proportional to the number of names, whatever they are");
    RUN(test_most_anims, "a model may have 65,536 animations");
}
