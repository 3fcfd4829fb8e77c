/* The animations of the character: a stance for each, and tracks, which are curves added to the stance. Public
   domain. */
#include "character.h"

/* Delays of channels in frames, for follow-through. */
static const setting character_lag[] = {
    { NOD, 0.4 }, { TILT, 0.4 }, { FACE, 0.3 }, { VISOR, 0.2 }, { L_ELBOW, 0.3 }, { L_WRIST, 0.6 },
    { L_PALM, 0.5 }, { L_FIST, 0.5 }, { L_INDEX, 0.4 }, { R_ELBOW, 0.3 }, { R_WRIST, 0.5 },
    { R_COCK, 0.4 },
};

static const setting stance_standing[] = {
    { HIP_Z, -0.9 }, { YAW, -5 }, { TWIST, -3 }, { FACE, 8 }, { EYES, 1 }, { L_FX, 1.2 },
    { L_FY, 0.5 }, { L_OUT, 14 }, { R_FX, -1 }, { R_FY, 0.6 }, { R_OUT, 16 }, { L_SWING, 4 },
    { L_SPREAD, 22 }, { L_ELBOW, 30 }, { L_FIST, 35 }, { L_INDEX, 22 }, { L_PALM, 12 },
    { R_SWING, 2 }, { R_SPREAD, 24 }, { R_ELBOW, 66 }, { R_FIST, 96 }, { R_INDEX, 96 },
    { R_COCK, 6 }, { R_PALM, 40 },
};

static const setting stance_crouched[] = {
    { HIP_Z, -6.2 }, { HIP_X, -1 }, { PITCH, 10 }, { BEND, 16 }, { NOD, -20 }, { EYES, 1 },
    { VISOR, 14 }, { L_FX, 2.5 }, { L_FY, 1 }, { L_OUT, 14 }, { L_KNEE, 14 }, { R_FX, -2.5 },
    { R_FY, 1 }, { R_OUT, 16 }, { R_KNEE, 14 }, { L_SWING, 28 }, { L_SPREAD, 26 }, { L_ELBOW, 62 },
    { L_FIST, 50 }, { L_INDEX, 40 }, { R_SWING, -8 }, { R_SPREAD, 34 }, { R_ELBOW, 84 },
    { R_FIST, 96 }, { R_INDEX, 96 }, { R_COCK, 4 }, { R_PALM, 44 },
};

/* He breathes twice, shifts his weight once, looks to both sides and blinks. */
static const track tracks_stand[] = {
    { HIP_Z, "~0.35 2 0.1" }, { HIP_Y, "~0.5 1 0" }, { ROLL, "~1.2 1 0.5" }, { BEND, "~1.6 2 0.2" },
    { L_SHRUG, "~2 2 0.25" }, { R_SHRUG, "~2 2 0.25" }, { L_SPREAD, "~1.5 2 0.05" },
    { L_ELBOW, "~4 2 0" }, { R_ELBOW, "~3 2 0.95" }, { L_FIST, "~10 1 0.3" },
    { FACE, "0:0 6:0 9:22 16:24 20:-4 24:-34 31:-32 35:0" },
    { TILT, "0:0 9:-5 16:-4 24:6 31:5 36:0" }, { NOD, "0:0 8:4 10:-2 22:4 25:-1 32:4 36:0" },
    { GLANCE, "0:0 5:0 7:18 15:14 19:-8 22:-20 29:-14 33:0" },
    { EYES, "0:0 3:0 4:-1 5:-0.4 6:0 20:0 21:-1 22:-0.3 23:0" },
    { VISOR, "0:0 3:0 4:10 6:0 9:-6 16:-4 20:0 21:10 23:0 32:4 36:0" },
};

/* A foot comes down, is 11 units further back in the next frame, and pushes off; in every third frame both feet are in
   the air. Arms and shoulders swing opposite to legs and hips. */
static const track tracks_run[] = {
    { HIP_Z, "~1.7 2 0.67" }, { HIP_Z, "0:0.2" }, { HIP_X, "0:1.5" }, { HIP_Y, "~0.7 1 0.17" },
    { PITCH, "0:13" }, { BEND, "0:10" }, { BEND, "~3 2 0.75" }, { NOD, "0:-21" },
    { NOD, "~4 2 0.1" }, { ROLL, "~4 1 0.17" }, { YAW, "0:5" }, { YAW, "~14 1 0.8" },
    { TWIST, "0:3" }, { TWIST, "~-30 1 0.8" }, { FACE, "0:-8" }, { FACE, "~14 1 0.8" },
    { VISOR, "0:8" }, { VISOR, "~4 2 0.5" }, { L_FX, "0:5= 1:-6 2:-10.5 3:-8 4:2 5:8.5" },
    { R_FX, "0:-5.8 1:4.2 2:10.7 3:7.2= 4:-3.8 5:-8.3" }, { L_FZ, "0:0= 1:0 2:5 3:8.5 4:7 5:3.4" },
    { R_FZ, "0:8.5 1:7 2:3.4 3:0= 4:0 5:5" }, { L_HEEL, "0:0 1:26 2:60 3:66 4:30 5:-16" },
    { R_HEEL, "0:66 1:30 2:-16 3:0 4:26 5:60" }, { L_OUT, "0:-10" }, { R_OUT, "0:-12" },
    { L_FY, "0:-1.4" }, { R_FY, "0:-1.5" }, { L_SWING, "~60 1 0.8" }, { L_SPREAD, "0:2" },
    { L_ELBOW, "0:54" }, { L_ELBOW, "~18 1 0.8" }, { L_FIST, "0:45" }, { L_INDEX, "0:60" },
    { R_SWING, "~40 1 0.3" }, { R_SPREAD, "0:6" }, { R_ELBOW, "0:10" }, { R_ELBOW, "~10 1 0.3" },
    { R_COCK, "0:-14" }, { L_SHRUG, "~5 2 0.6" }, { R_SHRUG, "~5 2 0.6" },
};

/* The sword goes up and back over the shoulder, then with a step down across the body. */
static const track tracks_attack[] = {
    { HIP_X, "0:0 1.6:-1.8 3.2:3.6 5:3.4 7:0.4" }, { HIP_Z, "0:0 1.6:0.5 3.4:-2.4 5:-1.8 7:0" },
    { YAW, "0:0 1.8:-22 3.4:20 5:18 7:2" }, { TWIST, "0:0 1.9:-30 3.5:34 5:26 7:3" },
    { BEND, "0:0 1.8:-10 3.4:24 5:18 7:0" }, { FACE, "0:0 1.8:40 3.4:-38 5:-28 7:-3" },
    { NOD, "0:0 1.8:6 3.4:-14 5:-10 7:0" }, { VISOR, "0:0 1.5:16 5:16 7:2" },
    { ANGER, "0:0 1.5:16 5:16 7:2" }, { EYES, "0:0 1.8:-0.2 3:0.2 5:0 7:0" },
    { L_FX, "0:0 1:0 2:3 3:6 5:6 6:3 7:0.4" }, { L_FZ, "0:0 1:0 2:2.6 3:0 5:0 6:1.2 7:0" },
    { R_HEEL, "0:0 2:6 3.2:26 5:22 7:0" },
    { R_SWING, "0:0 1:44 2:98 2.6:92 3.4:52 4.4:30 5.4:26 7:0" },
    { R_SPREAD, "0:0 1:14 2:26 3.4:-16 5:-12 7:0" },
    { R_ELBOW, "0:0 1:10 2:-33 3.2:-54 4.4:-50 5.4:-40 7:0" },
    { R_COCK, "0:0 1:-24 2:-32 3.3:-36 4.6:-38 7:0" },
    { R_PALM, "0:0 1:28 2:36 2.6:16 3.4:-10 5:-16 7:0" }, { R_SHRUG, "0:0 2:34 3.4:-4 7:0" },
    { L_SWING, "0:0 2:46 3.5:-36 5:-28 7:-2" }, { L_SPREAD, "0:0 2:14 3.5:22 5:14 7:0" },
    { L_ELBOW, "0:0 2:26 3.5:30 5:20 7:0" }, { L_FIST, "0:0 2:50 5:50 7:0" },
};

/* He is hit in the chest. */
static const track tracks_pain1[] = {
    { HIP_X, "0:-1 1:-2.4 2:-1.4 3:-0.3" }, { HIP_Z, "0:-0.3 1:-1.4 3:-0.2" },
    { BEND, "0:-10 1:-22 2:-6 3:-1" }, { NOD, "0:12 1:28 2:0 3:-2" }, { TWIST, "0:8 1:14 2:4 3:0" },
    { EYES, "0:-0.5 1:-0.8 2:-0.4 3:0" }, { ANGER, "0:-10 1:-22 2:-12 3:0" },
    { VISOR, "0:-6 1:-18 3:0" }, { L_SPREAD, "0:14 1:40 2:20 3:3" }, { L_ELBOW, "0:10 1:26 3:3" },
    { L_FIST, "0:-20 1:-35 3:0" }, { R_SPREAD, "0:8 1:22 3:2" }, { R_SWING, "0:-6 1:-18 3:-1" },
    { L_INDEX, "0:-12 1:-22 3:0" },
};

/* He is hit in the left side. */
static const track tracks_pain2[] = {
    { HIP_Y, "0:-1 1:-2.2 3:-0.2" }, { HIP_Z, "0:-0.6 1:-1.8 3:-0.2" }, { ROLL, "0:4 1:8 3:0" },
    { LEAN, "0:-12 1:-24 2:-10 3:-1" }, { TWIST, "0:10 1:22 3:1" }, { TILT, "0:-10 1:-20 2:6 3:1" },
    { NOD, "0:10 1:18 3:0" }, { EYES, "0:-0.7 1:-0.9 2:-0.4 3:0" }, { ANGER, "0:12 1:18 3:0" },
    { VISOR, "0:10 1:18 3:0" }, { L_SWING, "0:8 1:22 3:2" }, { L_SPREAD, "0:-4 1:-4 3:0" },
    { L_ELBOW, "0:30 1:62 2:40 3:4" }, { L_FIST, "0:20 1:50 3:0" }, { R_SPREAD, "0:12 1:34 3:3" },
    { R_ELBOW, "0:-10 1:-16 3:0" },
};

/* He is hit on the head: the helmet shakes and rotates. */
static const track tracks_pain3[] = {
    { HIP_Z, "0:-0.8 1:-2.6 2:-1 3:-0.1" }, { BEND, "0:8 1:20 2:6 3:0" },
    { NOD, "0:16 1:26 2:-8 3:2" }, { FACE, "0:-24 1:-52 2:-14 3:4" },
    { TILT, "0:8 1:18 2:-10 3:3" }, { VISOR, "0:34 1:50 2:14 3:0" },
    { EYES, "0:-0.6 1:-1 2:-0.2 3:0" }, { L_SWING, "0:34 1:66 2:30 3:3" },
    { L_SPREAD, "0:10 1:20 3:1" }, { L_ELBOW, "0:50 1:72 2:30 3:3" }, { L_PALM, "0:20 1:50 3:0" },
    { L_FIST, "0:-20 1:-30 3:0" }, { L_INDEX, "0:-10 1:-18 3:0" }, { R_SPREAD, "0:6 1:16 3:0" },
};

/* He crouches, jumps, stretches on the way up, tucks in at the top, and is squashed on landing. */
static const track tracks_jump[] = {
    { HIP_Z, "0:-4.5 1:6 2:13 3:14 4:5 5:-4.2" }, { PITCH, "0:8 1:-4 3:4 5:6" },
    { BEND, "0:18 1:-8 2:-4 3:10 4:4 5:18" }, { NOD, "0:-16 1:-14 2:6 4:10 5:-12" },
    { L_FX, "0:0 1:-2 2:0 3:3 4:1 5:0" }, { R_FX, "0:0 1:-3 2:-3 3:1 4:0 5:0" },
    { L_FZ, "0:0 1:4 2:14 3:16 4:4 5:0" }, { R_FZ, "0:0 1:4 2:12.5 3:14 4:3.6 5:0" },
    { L_HEEL, "0:0 1:48 2:36 3:6 4:10 5:0" }, { R_HEEL, "0:0 1:52 2:44 3:16 4:12 5:0" },
    { L_KNEE, "0:10 3:14 5:10" }, { R_KNEE, "0:10 3:14 5:10" },
    { L_SWING, "0:-44 1:70 2:60 3:24 5:10" }, { L_SPREAD, "0:12 1:24 2:44 3:64 4:52 5:16" },
    { L_ELBOW, "0:10 1:-14 2:4 4:-4 5:20" }, { L_FIST, "0:30 1:-26 3:-30 5:10" },
    { L_INDEX, "0:20 1:-16 5:0" }, { R_SWING, "0:-38 1:40 2:34 3:8 5:6" },
    { R_SPREAD, "0:8 1:20 2:32 3:46 4:38 5:10" }, { R_ELBOW, "0:-6 1:-20 3:-8 5:10" },
    { L_SHRUG, "0:-6 1:14 3:10 5:-8" }, { R_SHRUG, "0:-6 1:14 3:10 5:-8" },
    { EYES, "0:-0.2 1:0.2 3:0.25 5:-0.6" }, { VISOR, "0:8 1:-14 3:-10 5:14" },
};

/* A backward somersault: he crouches, jumps, tucks in, stretches and lands. */
static const track tracks_flip[] = {
    { HIP_Z, "0:-1 1:-4.8 2:-3 3:8 4.5:18 6:21 7.5:17 9:5 10:-4.4 11:-1" },
    { HIP_X, "0:0 1:-0.5 3:-1 6:-2.5 9:-1 11:0" },
    { PITCH, "0:0 1:12 2:4 3:-26 4:-82 5:-135 6:-196 7:-248 8:-298 9:-344 10:-352 11:-360" },
    { BEND, "0:0 1:20 3:-16 4.5:26 6:36 7.5:22 9:2 10:18 11:4" },
    { NOD, "0:0 1:-18 3:-10 4.5:16 6:22 8:-10 9:-4 10:-14 11:-3" },
    { FREE, "0:0 2.2:0 3:1 8.2:1 9.4:0" }, { L_FX, "0:0 3:0 4.5:5 6:6 7.5:4 9:0" },
    { R_FX, "0:0 3:0 4.5:4 6:6 7.5:4 9:0" },
    { L_FZ, "0:0 2:0 3:0 4.5:5 6:7 7.5:4 8.4:2 9.4:3 10:0" },
    { R_FZ, "0:0 2:0 3:0 4.5:4.6 6:7 7.5:3.5 8.4:2 9.4:3 10:0" },
    { L_HEEL, "0:0 2:20 3:52 4.5:20 7:10 9:20 10:0" },
    { R_HEEL, "0:0 2:20 3:52 4.5:24 7:10 9:20 10:0" },
    { L_SWING, "0:0 1:-52 3:110 4.5:40 6:34 8:60 9.5:44 11:4" },
    { R_SWING, "0:0 1:-36 3:60 4.5:20 6:20 8:30 9.5:24 11:3" },
    { L_SPREAD, "0:0 3:20 6:6 8:44 9.5:40 11:4" }, { R_SPREAD, "0:0 3:16 6:6 8:34 9.5:30 11:3" },
    { L_ELBOW, "0:0 1:4 3:-10 5:60 7:50 9:0 11:2" }, { L_FIST, "0:0 3:-20 5:40 7:40 9:-24 11:0" },
    { EYES, "0:0 3:0.2 6:-0.4 9:0.2 10:-0.7 11:-0.2" }, { VISOR, "0:0 2:10 3:-10 6:16 10:16 11:4" },
};

/* The hand goes to the brow, the visor snaps up, and he stands as tall as he can. */
static const track tracks_salute[] = {
    { HIP_Z, "0:0 1.5:-0.8 3:0.8 8:0.8 10:0" }, { YAW, "0:0 3:5 8:5 10:0" },
    { TWIST, "0:0 1.5:-6 3:3 8:3 10:0" }, { BEND, "0:0 1.5:8 3:-7 8:-6 9:4 10:0" },
    { NOD, "0:0 1.5:10 3:-6 4:-3 8:-3 9:6 10:0" }, { FACE, "0:0 3:-8 8:-8 10:0" },
    { TILT, "0:0 3:-4 8:-4 10:0" }, { VISOR, "0:0 2:10 3.4:-24 4.2:-18 7.6:-20 9:8 10:0" },
    { EYES, "0:0 2:-0.4 3.6:0.25 7.6:0.2 9:-0.3 10:0" }, { L_SHRUG, "0:0 3:28 8:28 10:0" },
    { L_SWING, "0:0 1.4:-12 3.4:12 4:8 8:8 10:0" }, { L_SPREAD, "0:0 1.4:8 3.4:57 4:53 8:53 10:2" },
    { L_ROLL, "0:0 1.4:0 3:66 8:66 10:0" }, { L_ELBOW, "0:0 1.4:-8 3.2:62 4:54 8:54 10:4" },
    { L_PALM, "0:0 3.4:-79 8:-79 10:0" }, { L_FIST, "0:0 3:-36 8:-36 10:0" },
    { L_INDEX, "0:0 3:-24 8:-24 10:0" }, { L_WRIST, "0:0 3:-8 8:-8 10:0" },
    { R_SWING, "0:0 3:4 8:4 10:0" }, { R_SPREAD, "0:0 3:-2 8:-2 10:0" },
    { R_ELBOW, "0:0 3:18 8:18 10:0" }, { L_FX, "0:0 1:0 2:-0.8 3:-1.1 8:-1.1 9:-0.5 10:0" },
    { L_OUT, "0:0 3:-4 8:-4 10:0" }, { L_FZ, "0:0 1:0 2:1 3:0 8:0 9:0.9 10:0" },
};

/* He beckons twice, with a nod. */
static const track tracks_taunt[] = {
    { HIP_Y, "0:0 3:-1 13:-1 16:0" },
    { HIP_Z, "0:0 3:-1 5:-0.2 7:-1.4 9:-0.2 11:-1.4 13:-0.4 16:0" }, { ROLL, "0:0 3:3 13:3 16:0" },
    { LEAN, "0:0 3:-6 13:-6 16:0" }, { TWIST, "0:0 3:-12 13:-12 16:0" },
    { YAW, "0:0 3:-8 13:-8 16:0" }, { FACE, "0:0 3:16 13:16 16:0" },
    { BEND, "0:0 3:-4 7:6 9:-2 11:6 13:0 16:0" }, { NOD, "0:0 4:-10 7:12 9:-8 11:12 13:-4 16:0" },
    { TILT, "0:0 3:12 13:12 16:0" }, { VISOR, "0:0 3:14 13:14 15:0" },
    { ANGER, "0:0 3:14 13:14 15:0" }, { EYES, "0:0 3:-0.25 13:-0.25 15:0" },
    { L_SHRUG, "0:0 3:6 13:6 16:0" },
    { L_SWING, "0:0 1:-8 3.5:62 5:66 7:56 9:66 11:56 13:62 16:0" },
    { L_SPREAD, "0:0 3:4 13:4 16:0" }, { L_ELBOW, "0:0 3:10 5:2 7:58 9:2 11:58 13:10 16:0" },
    { L_PALM, "0:0 3:80 13:80 16:0" }, { L_FIST, "0:0 4:-30 5:-34 7:54 9:-34 11:54 13:-20 16:0" },
    { L_INDEX, "0:0 4:-20 5:-22 7:50 9:-22 11:50 13:-10 16:0" },
    { L_WRIST, "0:0 5:-10 7:26 9:-10 11:26 13:0 16:0" }, { R_SWING, "0:0 4:-10 13:-10 16:0" },
    { R_SPREAD, "0:0 4:18 13:18 16:0" }, { R_ELBOW, "0:0 4:-8 13:-8 16:0" },
    { R_PALM, "0:0 4:14 13:14 16:0" }, { R_COCK, "0:0 5:-8 7:6 9:-8 11:6 13:0 16:0" },
};

/* A big wave from the elbow, on tiptoe, with the body leaning toward the hand. */
static const track tracks_wave[] = {
    { HIP_Y, "0:0 2:-1 8:-1 10:0" }, { HIP_Z, "0:0 1:-1 3:0.6 5:0 7:0.6 10:0" },
    { ROLL, "0:0 3:2 8:2 10:0" }, { LEAN, "0:0 2:10 3:6 5:11 7:6 8:9 10:0" },
    { TWIST, "0:0 3:6 8:6 10:0" }, { BEND, "0:0 3:-5 8:-5 10:0" },
    { TILT, "0:0 3:-12 5:-4 7:-13 8:-6 10:0" }, { FACE, "0:0 3:-4 8:-4 10:0" },
    { NOD, "0:0 2:4 4:-6 8:-5 10:0" }, { VISOR, "0:0 2:6 3:-18 8:-18 10:0" },
    { EYES, "0:0 2:-0.5 3:0.2 5:0.2 6:-0.8 7:0.2 9:0 10:0" },
    { L_SHRUG, "0:0 1:-4 3:20 8:18 10:0" }, { L_SWING, "0:0 1:-6 2:10 3:18 8:18 9:10 10:1" },
    { L_SPREAD, "0:0 1:6 2:56 3:66 4:60 5:66 6:60 7:66 8:60 9:26 10:2" },
    { L_ROLL, "0:0 2.6:84 8:84 10:0" }, { L_ELBOW, "0:0 2:44 3:10 4:46 5:6 6:46 7:6 8:42 10:4" },
    { L_PALM, "0:0 2:-8 8:-8 10:0" }, { L_FIST, "0:0 2:-38 8:-38 10:0" },
    { L_INDEX, "0:0 2:-26 8:-26 10:0" }, { R_SPREAD, "0:0 3:6 8:6 10:0" },
    { R_SWING, "0:0 3:-8 8:-8 10:0" },
};

/* He points: after a short windup the arm shoots out and settles. */
static const track tracks_point[] = {
    { HIP_X, "0:0 1.6:-1.6 3.4:2.2 9:1.8 11:0.2" }, { HIP_Z, "0:0 1.6:-1.4 3.4:-1 9:-0.8 11:0" },
    { YAW, "0:0 1.6:14 3.4:-14 9:-12 11:-1" }, { TWIST, "0:0 1.6:20 3.4:-20 4.4:-15 9:-15 11:-1" },
    { BEND, "0:0 1.6:-6 3.4:12 4.4:8 9:8 11:0" }, { FACE, "0:0 1.6:-24 3.4:30 9:26 11:2" },
    { NOD, "0:0 1.6:4 3.4:-10 9:-8 11:0" }, { TILT, "0:0 3.4:6 6:2 9:6 11:0" },
    { VISOR, "0:0 1.6:10 3.4:-10 9:-6 11:0" }, { ANGER, "0:0 3:8 9:8 11:0" },
    { EYES, "0:0 1.6:-0.3 3.4:0.2 9:0.1 11:0" }, { L_SHRUG, "0:0 1.6:10 3.4:8 9:8 11:0" },
    { L_SWING, "0:0 1.6:10 3.4:92 4.4:82 9:82 11:4" }, { L_SPREAD, "0:0 1.6:14 3.4:-8 9:-8 11:0" },
    { L_ELBOW, "0:0 1.6:92 3.2:-30 4.2:-20 9:-20 11:4" }, { L_FIST, "0:0 1.6:60 9:62 11:5" },
    { L_INDEX, "0:0 1.6:-20 9:-26 11:0" }, { L_PALM, "0:0 3.4:-40 9:-40 11:0" },
    { R_SWING, "0:0 2:8 3.4:-26 9:-22 11:-1" }, { R_SPREAD, "0:0 3.4:16 9:12 11:0" },
    { L_FX, "0:0 1:0 2:2 3:3.6 9:3.6 10:2 11:0.2" }, { L_FZ, "0:0 1:0 2:1.8 3:0 9:0 10:1.2 11:0" },
    { R_HEEL, "0:0 2:4 3.4:16 9:14 11:0" },
};

static const track tracks_crstnd[] = {
    { HIP_Z, "~0.4 1 0.1" }, { BEND, "~2 1 0.2" }, { L_ELBOW, "~5 1 0" }, { R_ELBOW, "~4 1 0.9" },
    { L_SHRUG, "~3 1 0.25" }, { R_SHRUG, "~3 1 0.25" }, { NOD, "~-1.5 1 0.25" },
    { FACE, "0:0 4:14 8:12 12:-16 16:-10" }, { GLANCE, "0:0 3:16 8:8 11:-18 15:-6" },
    { EYES, "0:0 9:0 10:-1 11:0" }, { VISOR, "~2 1 0.4" },
};

/* Sneaking steps: each foot is on the ground in three of the six frames, moving 10 units back per frame. */
static const track tracks_crwalk[] = {
    { HIP_Z, "~0.5 2 0.45" }, { HIP_Y, "~1 1 0.2" }, { YAW, "~7 1 0.55" }, { TWIST, "~-10 1 0.58" },
    { ROLL, "~3 1 0.2" }, { NOD, "~2 2 0.2" }, { FACE, "~4 1 0.55" }, { TILT, "~3 1 0.5" },
    { L_FX, "0:2.5= 3:-7.5 4:-5.5 5:0.5" }, { R_FX, "0:-2.5 1:-0.5 2:5.5 3:7.5=" },
    { L_FZ, "0:0= 3:0 4:2.6 5:2.4" }, { R_FZ, "0:0 1:2.6 2:2.4 3:0=" },
    { L_HEEL, "0:-8 0.8:0 2:6 3:28 4:30 5:0" }, { R_HEEL, "0:28 1:30 2:0 3:-8 3.8:0 5:6" },
    { L_SWING, "~16 1 0.78" }, { R_SWING, "~12 1 0.28" }, { L_ELBOW, "~8 1 0.7" },
};

static const track tracks_crattak[] = {
    { HIP_X, "0:0 2:-2.4 3.6:4.4 5.5:3.6 8:0.2" }, { HIP_Z, "0:0 2:0.6 3.6:1 5.5:0.4 8:0" },
    { YAW, "0:0 2:-24 3.8:22 5.5:18 8:1" }, { TWIST, "0:0 2:-28 3.8:34 5.5:26 8:2" },
    { BEND, "0:0 2:-10 3.8:10 5.5:8 8:0" }, { FACE, "0:0 2:44 3.8:-36 5.5:-28 8:-2" },
    { NOD, "0:0 2:4 3.8:-6 8:0" }, { ANGER, "0:0 1.6:16 5:16 8:2" }, { VISOR, "0:0 1.6:6 5:6 8:0" },
    { R_SWING, "0:0 2:-34 3.4:86 5:78 8:0" }, { R_SPREAD, "0:0 2:6 3.4:-22 5:-20 8:0" },
    { R_ELBOW, "0:0 2:28 3.4:-76 5:-68 8:0" }, { R_COCK, "0:0 1.6:-64 5:-62 7:-20 8:0" },
    { R_PALM, "0:0 2:-30 5:-30 8:0" }, { R_HEEL, "0:0 2:6 3.8:26 5.5:20 8:0" },
    { L_SWING, "0:0 2:22 3.8:-44 5.5:-34 8:-1" }, { L_SPREAD, "0:0 3.8:18 8:0" },
    { L_FIST, "0:0 2:40 6:40 8:0" },
};

static const track tracks_crpain[] = {
    { HIP_Z, "0:-0.5 1:-1.4 3:0" }, { HIP_X, "0:-0.8 1:-1.8 3:-0.2" }, { BEND, "0:8 1:18 2:4 3:0" },
    { NOD, "0:16 1:30 2:4 3:1" }, { TILT, "0:10 1:18 2:-4 3:0" }, { TWIST, "0:-8 1:-16 3:-1" },
    { EYES, "0:-0.7 1:-1 2:-0.4 3:0" }, { VISOR, "0:10 1:24 3:0" }, { L_SWING, "0:20 1:40 3:2" },
    { L_ELBOW, "0:20 1:40 3:3" }, { L_PALM, "0:20 1:40 3:0" }, { R_SPREAD, "0:10 1:20 3:1" },
};

/* He sits down, sways, and rolls onto his side. */
static const track tracks_crdeath[] = {
    { HIP_Z, "0:-1 1:-6 2:-5 3:-9 4:-16" }, { HIP_X, "0:-1 1:-3 4:-4" },
    { HIP_Y, "0:0 2:1.5 3:4 4:6" }, { PITCH, "0:-4 1:-20 2:-14 4:-16" },
    { ROLL, "0:0 1:4 2:-20 3:-66 4:-84" }, { BEND, "0:10 1:-14 2:10 3:6 4:12" },
    { NOD, "0:20 1:26 2:30 3:34 4:30" }, { TILT, "0:0 2:-14 3:10 4:4" }, { FREE, "0:0 1:0.6 2:1" },
    { L_FX, "0:0 1:4 2:5 4:3" }, { R_FX, "0:0 1:5 2:8 4:5" }, { L_FZ, "0:0 1:2 2:5 4:3" },
    { R_FZ, "0:0 1:2 2:6 4:5" }, { L_HEEL, "0:0 1:-20 2:-10 4:16" },
    { R_HEEL, "0:0 1:-24 2:-10 4:22" }, { EYES, "0:-0.4 1:-0.6 2:-0.8 3:-1" },
    { VISOR, "0:0 1:10 2:20 3:50 4:44" }, { L_SWING, "0:10 1:20 3:40 4:40" },
    { L_SPREAD, "0:10 1:30 3:-30 4:-34" }, { L_ELBOW, "0:0 1:-20 4:-30" },
    { L_FIST, "0:-10 2:-20 4:-12" }, { R_SPREAD, "0:10 1:30 2:30 3:6 4:-30" },
    { R_SWING, "0:0 1:10 3:50 4:60" }, { R_ELBOW, "0:0 1:-30 3:-40 4:-66" },
    { R_PALM, "0:0 2:0 3:-20 4:-50" },
};

/* He is blown onto his back; the legs go up, the body bounces, and everything comes to rest. */
static const track tracks_death1[] = {
    { HIP_X, "0:-2 1:-6 2:-9 5:-10.5" }, { HIP_Z, "0:0 1:-2 2:-16 3:-11 4:-17 5:-18" },
    { PITCH, "0:-16 1:-52 2:-88 3:-80 4:-89 5:-88" }, { BEND, "0:-14 1:4 2:14 3:-4 4:2 5:0" },
    { NOD, "0:24 1:36 2:-10 3:14 4:-2 5:3" }, { FACE, "0:0 2:0 3:-10 4:22 5:18" },
    { FREE, "0:0.3 1:1" }, { L_FX, "0:2 1:5 2:9 3:8 4:2 5:0.5" },
    { R_FX, "0:2 1:6 2:11 3:10 4:2 5:1" }, { L_FZ, "0:1 1:2 2:7 3:5 4:1.5 5:0.6" },
    { R_FZ, "0:1 1:2 2:5 3:6 4:2 5:1.6" }, { L_OUT, "0:0 4:10 5:16" }, { R_OUT, "0:0 4:10 5:18" },
    { L_FY, "0:0 3:1 5:2" }, { R_FY, "0:0 3:1 5:2" },
    { EYES, "0:-0.3 1:0.2 2:-0.9 3:-0.3 4:-1 5:-1" }, { VISOR, "0:-16 1:-26 2:20 3:0 4:44 5:40" },
    { L_SPREAD, "0:20 1:60 2:76 3:50 4:58 5:56" }, { L_SWING, "0:20 1:50 2:-10 3:14 4:-12 5:-10" },
    { L_ELBOW, "0:0 1:-20 2:10 3:-16 4:-6 5:-8" }, { L_FIST, "0:-30 3:-20 5:-8" },
    { L_INDEX, "0:-10 5:-6" }, { R_SPREAD, "0:16 1:44 2:58 3:44 4:50 5:48" },
    { R_SWING, "0:10 1:40 2:-16 3:10 4:-14 5:-12" },
    { R_ELBOW, "0:-20 1:-40 2:-56 3:-50 4:-60 5:-60" }, { R_PALM, "0:0 2:60 5:70" },
};

/* He drops to his knees, then onto his face. */
static const track tracks_death2[] = {
    { HIP_Z, "0:-1 1:-6.4 2:-7 3:-9 4:-14 5:-18" }, { HIP_X, "0:0.5 1:1 2:2 3:6 4:8 5:9" },
    { PITCH, "0:4 1:-4 2:10 3:56 4:88 5:86" }, { BEND, "0:16 1:10 2:24 3:20 4:-8 5:0" },
    { NOD, "0:10 1:28 2:24 3:0 4:-26 5:-8" }, { FACE, "0:0 3:0 4:-30 5:-36" },
    { FREE, "0:0 1:0 2:0.4 3:1" }, { L_FX, "0:0 1:-5 2:-8 3:-6 4:-1 5:-1" },
    { R_FX, "0:0 1:-4 2:-8 3:-7 4:-3 5:-1" }, { L_FZ, "0:0 1:1.5 2:3 3:8 4:6 5:1" },
    { R_FZ, "0:0 1:1.5 2:3 3:8 4:4 5:1" }, { L_HEEL, "0:10 1:60 2:80 3:70 4:50 5:60" },
    { R_HEEL, "0:10 1:64 2:80 3:70 4:50 5:60" }, { EYES, "0:-0.3 1:-0.2 2:-0.6 3:-1" },
    { ANGER, "0:-14 2:-24 5:-20" }, { VISOR, "0:-8 1:-14 2:0 3:20 4:44" },
    { L_SWING, "0:16 1:30 2:10 3:40 4:4 5:6" }, { L_SPREAD, "0:0 2:6 3:30 4:62 5:58" },
    { L_ELBOW, "0:40 1:60 2:20 3:0 4:-14 5:-20" }, { L_FIST, "0:0 3:-20 5:-6" },
    { R_SWING, "0:-6 1:-10 2:-6 3:24 4:8 5:10" }, { R_SPREAD, "0:6 2:14 3:30 4:56 5:54" },
    { R_ELBOW, "0:-10 1:-30 2:-44 4:-54 5:-56" }, { R_PALM, "0:0 1:-40 2:-110 3:-130 5:-130" },
    { R_COCK, "0:0 2:20 3:10 5:0" },
};

/* He spins on one foot, and topples onto his left side. */
static const track tracks_death3[] = {
    { HIP_Z, "0:-0.5 1:0.5 2:-1 3:-3 4:-9 5:-18 6:-14 7:-20" }, { HIP_Y, "0:0 2:1 4:5 5:8 7:9" },
    { YAW, "0:30 1:90 2:150 3:166 7:166" }, { ROLL, "0:0 2:-6 3:-16 4:-56 5:-90 6:-82 7:-88" },
    { PITCH, "0:-4 3:6 5:0" }, { BEND, "0:-8 2:8 4:14 5:0 7:10" },
    { TWIST, "0:20 1:30 2:0 3:-20 5:-6" }, { FACE, "0:24 1:34 2:-10 3:-26 5:10 7:4" },
    { NOD, "0:6 2:14 3:24 5:10 6:24 7:16" }, { TILT, "0:0 3:10 4:16 5:-16 6:4 7:-8" },
    { FREE, "0:0.5 1:1" }, { L_FZ, "0:0 2:0.5 4:1 5:1 7:1" },
    { R_FZ, "0:1 1:3 2:5 3:3 4:3 5:4 6:3 7:2" }, { R_FX, "0:0 1:-4 2:-5 3:0 5:4 7:4" },
    { L_FX, "0:0 3:0 5:-2 7:-1" }, { L_HEEL, "0:6 1:16 3:0 5:20 7:30" },
    { R_HEEL, "0:20 2:40 4:0 7:34" }, { EYES, "0:0.2 1:-0.3 2:-0.7 3:-0.4 4:-1" },
    { VISOR, "0:-16 2:-8 3:8 4:0 5:50 6:36 7:44" }, { L_SPREAD, "0:40 1:66 2:50 3:30 5:-20 7:-26" },
    { L_SWING, "0:0 2:20 4:60 5:80 7:76" }, { L_ELBOW, "0:-20 3:0 5:-14 7:-10" },
    { L_FIST, "0:-30 7:-12" }, { R_SPREAD, "0:30 1:50 2:36 3:24 4:46 5:4 6:-20 7:-30" },
    { R_SWING, "0:0 2:10 4:30 5:60 7:64" }, { R_ELBOW, "0:-30 2:-16 5:-40 7:-50" },
    { R_PALM, "0:0 4:0 5:-20 7:-52" },
};

/* Each foot comes down heel first and leaves over the toes. Each sole stays in place for six of ten frames, while the
   root moves eleven units per frame. */
static const track tracks_walk[] = {
    { HIP_Z, "0:-0.7" }, { HIP_Z, "~0.5 2 0.65" }, { HIP_X, "0:0.4" }, { HIP_Y, "~0.9 1 0.95" },
    { PITCH, "0:3" }, { BEND, "0:3" }, { BEND, "~1.5 2 0.4" }, { NOD, "0:-6" }, { NOD, "~2 2 0.5" },
    { ROLL, "~2.5 1 0.2" }, { YAW, "0:5" }, { YAW, "~-8 1 0.22" }, { TWIST, "0:3" },
    { TWIST, "~15 1 0.22" }, { FACE, "0:-8" }, { FACE, "~-7 1 0.22" }, { TILT, "~2 1 0.7" },
    { VISOR, "~2 2 0.4" }, { EYES, "0:0 6:0 7:-1 8:0" },
    { L_FX, "0:4.3= 6:-6.7 8:-1.6" }, { R_FX, "1:-4.5 3:0.6 5:6.5=" },
    { L_FZ, "0:0= 6:0 7:1.4 8:2.4 9:1.6" }, { R_FZ, "1:0 2:1.4 3:2.4 4:1.6 5:0=" },
    { L_HEEL, "0:-16 1:0 4:2 5:12 6:30 7:38 8:14 9:-12" },
    { R_HEEL, "0:12 1:30 2:38 3:14 4:-12 5:-16 6:0 9:2" }, { L_OUT, "0:-9" }, { R_OUT, "0:-11" },
    { L_FY, "0:-0.6" }, { R_FY, "0:-0.7" }, { L_SWING, "~-30 1 0.22" }, { L_ELBOW, "0:6" },
    { L_ELBOW, "~-12 1 0.2" }, { L_SPREAD, "0:-4" }, { R_SWING, "~20 1 0.22" },
    { R_ELBOW, "~8 1 0.22" }, { L_SHRUG, "~2.5 2 0.6" }, { R_SHRUG, "~2.5 2 0.6" },
};

/* A quarter turn to the left in two steps. Each sole stays in place for seven of twelve frames, while the body rotates
   above it. He looks where he will face. */
static const track tracks_turn[] = {
    { HIP_Z, "0:-0.5" }, { HIP_Z, "~0.4 2 0.667" }, { HIP_Y, "~1 1 0.958" }, { ROLL, "~2 1 0.2" },
    { YAW, "0:5" }, { YAW, "~4 1 0.2" }, { TWIST, "0:9" }, { TWIST, "~-3 1 0.2" },
    { FACE, "0:10" }, { GLANCE, "0:10" }, { NOD, "~2 2 0.4" }, { TILT, "0:-2" },
    { EYES, "0:0 4:0 5:-1 6:0" }, { L_ROUND, "0:26.25= 7:-26.25 9.5:0" },
    { R_ROUND, "1:-26.25 3.5:0 6:26.25=" }, { L_FZ, "0:0= 7:0 8:1.2 9.5:2.4 11:1.2" },
    { R_FZ, "1:0 2:1.2 3.5:2.4 5:1.2 6:0=" }, { L_HEEL, "0:0 5:1 6:4 7:12 8:16 10:0 11:-5" },
    { R_HEEL, "0:4 1:12 2:16 4:0 5:-5 6:0 11:1" }, { L_SWING, "0:6" }, { L_SWING, "~8 1 0.4" },
    { L_SPREAD, "0:6" }, { R_SWING, "0:-4" }, { R_SWING, "~-6 1 0.4" }, { R_SPREAD, "0:4" },
    { L_ELBOW, "~6 2 0.1" },
};

#define ANIMATION(name, frames, loops, stance) ANIMATION_WITH_ROOT_MOTION(name, frames, loops, stance, 0, 0)
#define ANIMATION_WITH_ROOT_MOTION(name, frames, loops, stance, travel, turn) \
  { #name, frames, loops, stance, COUNT_OF(stance), tracks_##name, COUNT_OF(tracks_##name), travel, \
    turn }

const animation character_anims[CHARACTER_ANIMS + MOVING_ANIMS] = {
    ANIMATION(stand, 40, 1, stance_standing),   ANIMATION(run, 6, 1, stance_standing),
    ANIMATION(attack, 8, 0, stance_standing),   ANIMATION(pain1, 4, 0, stance_standing),
    ANIMATION(pain2, 4, 0, stance_standing),    ANIMATION(pain3, 4, 0, stance_standing),
    ANIMATION(jump, 6, 0, stance_standing),     ANIMATION(flip, 12, 0, stance_standing),
    ANIMATION(salute, 11, 0, stance_standing),  ANIMATION(taunt, 17, 0, stance_standing),
    ANIMATION(wave, 11, 0, stance_standing),    ANIMATION(point, 12, 0, stance_standing),
    ANIMATION(crstnd, 19, 1, stance_crouched),  ANIMATION(crwalk, 6, 1, stance_crouched),
    ANIMATION(crattak, 9, 0, stance_crouched),  ANIMATION(crpain, 4, 0, stance_crouched),
    ANIMATION(crdeath, 5, 0, stance_crouched),  ANIMATION(death1, 6, 0, stance_standing),
    ANIMATION(death2, 6, 0, stance_standing),   ANIMATION(death3, 8, 0, stance_standing),
    ANIMATION_WITH_ROOT_MOTION(walk, 10, 1, stance_standing, 11 / 6.0, 0),
    ANIMATION_WITH_ROOT_MOTION(turn, 12, 1, stance_standing, 0, 7.5),
};

int stored_frames(const animation *m)
{
    bool goes_on = m->travel > 0 || m->turn > 0;
    return m->frames + (goes_on ? 1 : 0);
}

void get_channels(const animation *m, double frame, double c[CHANNELS])
{
    double lag[CHANNELS];
    memset(c, 0, CHANNELS * sizeof *c);
    memset(lag, 0, sizeof lag);
    for (int i = 0; i < COUNT_OF(character_lag); ++i)
        lag[character_lag[i].channel] = character_lag[i].value;
    for (int i = 0; i < m->stance_count; ++i) c[m->stance[i].channel] += m->stance[i].value;
    for (int i = 0; i < m->track_count; ++i) {
        int    channel = m->tracks[i].channel;
        double behind = frame - lag[channel];
        c[channel] += curve_at(m->tracks[i].keys, behind, m->frames, m->loops);
    }
}
