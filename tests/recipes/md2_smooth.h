/* md2_smooth.h - 1.0.0 - the code of md2_smooth_model. md2.h of the same version includes it where
   MD2_SMOOTH is defined: copy it beside that. MIT license or public domain: see md2.h. */

#if !defined(MD2__COLD)
  #error "md2_smooth.h is a part of md2.h: define MD2_SMOOTH, and include md2.h alone"
#elif MD2_LIBRARY_VERSION != 10000
  #error "md2.h and md2_smooth.h are of different versions: copy both from one"
#else

/* -- Smoothing -------------------------------------------------------------- */

/* The problem. A frame stores each coordinate as a byte, a whole number of steps in the frame's own
   box; a step is frame->scale. Rounding has left an error of up to half a step, which is uniform,
   so of variance 1/12, and independent from point to point. It changes from frame to frame: what
   ought to move slowly wobbles. Below these errors are called noise, and all else is signal.

   The aim. Positions as near as possible to those before rounding, that still round to the bytes of
   the file.

   What is equal stays equal. Three things that the file stores more than once are one to all that
   follows, and so cannot drift apart:

   - Points that are at the same place in every frame, as along a seam or a hard edge. The first of
     them stands for all: md2__group_points.
   - Frames that have the same points, as where one animation ends and another begins. They share a
     position: md2__group_frames, md2__share_positions.
   - A coordinate that stands still in an animation. Its frames share a position, too.

   With a single frame, there is no motion to tell signal and noise apart by: all stays as it is.

   Three passes, one after the other in md2__smooth_copy:

   1. In space: md2__smooth_in_space. Points near each other on the surface move alike, so what they
      share is signal, and what each has for itself is mostly noise. A Wiener filter for each patch
      of up to 48 points estimates the noise. Patches overlap, and a point takes their average.
   2. In time: md2__smooth_in_time. Each point's path through each animation is replaced by one that
      stays near to it, and has smaller accelerations where these are small anyway: a problem of
      least squares.
   3. Normals: md2__smooth_normals. The faces between the smoothed points give normals without
      wobble. The stored ones, of only 162 directions, may differ from these on purpose. So they
      are averaged over all frames, in axes that turn with the faces, and each frame's normal is
      this average, turned with its faces.

   All data is in md2__smoother, below: what each array holds, in which unit, and who writes it. A
   position is one of three:

   byte      what the file stores, in whole steps: byte * scale + translate is the coordinate
   fraction  how far the result is from the byte's coordinate, in steps: from -127/256 to 127/256. A
             fine point holds byte and fraction as one number: md2__encode_fine
   position  the coordinate itself, in the units of the model, as a float */

/* What twice as much of each does was measured with the knight, whose exact animations are known: as
   it is, positions are off by 0.130 steps. */
enum {
    MD2__PATCH_SIZE = 48,             /* points of a patch, at most. Twice: off by 0.123 steps, for
                                         a matrix four times as large */
    MD2__PATCH_NEIGHBORS = 12,        /* known of a point, at most. Twice: nothing, as few points
                                         have more */
    MD2__MIN_PATCHES = 2,             /* a point in fewer, when its turn comes, begins a patch.
                                         Twice: off by 0.131 steps, in half as much time again */
    MD2__MAX_PATCHES = 6,             /* that a point is in. Twice: nothing, but a mesh made on
                                         purpose takes twice as long */
    MD2__TIME_SWEEPS = 16             /* over a path: see md2__relax_path. Twice: nothing */
};

/* What is known of a point. Pass 1 knows only the first of the points at one place, pass 3 only the
   first of twins: this stands for the others. */
typedef struct md2__smooth_point {
    /* Pass 1: the mesh around it (md2__list_neighbors), and its patches (md2__add_patch_member). */
    uint16_t neighbors[MD2__PATCH_NEIGHBORS]; /* points joined to it by an edge of a triangle */
    uint8_t  neighbor_count;
    uint8_t  patch_count;             /* patches that it is in */
    uint32_t last_patch;              /* the number of the last of these; 0 if there is none */

    /* Pass 3: an edge that turns with its faces (md2__find_edges). */
    uint16_t edge_end;                /* the first point at its other end */
    bool     has_edge;                /* there is one that leads to another place */

    /* Pass 3: what the stored normals are in all frames (md2__sum_stored_normals). */
    bool     has_canceling_faces;     /* in some frame */
    float    stored_sum[3];           /* their sum, in the axes of the faces */
    uint32_t normal_changes;          /* frames whose normal differs from the one before */

    /* Pass 3: the current frame (md2__compute_face_normals). */
    float    position[3];             /* smoothed */
    float    normal[3];               /* the sum of those of its faces; any length */
    float    angle;                   /* that sum's length if the faces lay in a plane; 1 is 90
                                         degrees */
} md2__smooth_point;

/* A frame on the path of a point: md2__path says more. Pass 2 takes one point after the other, and
   of each one axis after the other. */
typedef struct md2__path_step {
    /* For all points: the frames beside it in its animation (md2__link_frames). */
    uint32_t before, after;

    /* For one point: what its positions of pass 1 say (md2__weigh_accelerations). */
    float    acceleration;            /* squared, in squared steps */
    float    weight;                  /* of the acceleration here */

    /* For one axis: the frames that share a position (md2__share_positions), and where pass 1 has
       found it (md2__relax_path). */
    uint32_t first, next;             /* the first of them; a ring through all of them */
    float    found;                   /* a coordinate, in the units of the model */
} md2__path_step;

typedef struct md2__smoother {
    md2__context       context;
    const md2_model   *source;        /* as loaded */

    /* The result, a copy of that (md2__copy_model). The fine points begin in the middle of their
       bytes (md2__copy_points). Pass 1 writes their positions (md2__subtract_noise), pass 2 writes
       them anew (md2__write_paths), and pass 3 writes the normals (md2__write_frame_normals). */
    md2_model         *model;
    md2_frame         *frames;        /* [frame] bounds come last: md2__bound_smooth_model */
    md2_point         *stored;        /* [frame][point] the bytes, which nothing changes */
    md2_fine          *fine;          /* [frame][point] */

    /* Equal points and frames: for each the first (md2__group_points, md2__group_frames). */
    uint32_t          *places;        /* [point] the first point at its place in every frame */
    uint32_t          *twins;         /* [point] the first of these with its normals as well */
    uint32_t          *equals;        /* [frame] the first frame equal to it */
    uint32_t           unequal_count; /* of the frames that differ from all before them */

    /* Pass 1, one patch at a time: its members (md2__grow_patch), and the filter that finds their
       noise (md2__build_noise_filter). */
    uint32_t           members[MD2__PATCH_SIZE]; /* points, also those without a triangle, which may
                                                    have numbers above 65,535 */
    uint32_t           member_count;  /* of the patch, at most patch_size */
    uint32_t           patch_size;    /* of this model: md2__lay_out_smoother */
    double            *matrix;        /* [member_count][member_count] noise in steps, by bytes */

    /* Passes 1 and 2. First the noise that all patches of a point have found, added up, in steps
       (md2__add_patch_noise). Then positions take its place, in the units of the model: those of
       pass 1 (md2__subtract_noise), which pass 2 moves (md2__relax_path). */
    float            (*paths)[3];     /* [point][frame] */
    md2__path_step    *steps;         /* [frame] of the current point, in pass 2 */

    /* Passes 1 and 3. */
    md2__smooth_point *points;        /* [point] */

    /* Room for what is done before the passes. */
    uint32_t          *words;         /* md2__split_groups compares these ... */
    md2__key_table     groups;        /* ... and its groups */
} md2__smoother;

/* -- Smoothing: what is equal ---------------------------------------------- */

/* Splits groups of points or frames by their words: two of them stay in one group if the words are
   equal. groups[i] is the number of the group of i. Groups are numbered from 0 on, in the order of
   their first members. Returns how many there are. */
static uint32_t md2__split_groups(md2__smoother *smoother, uint32_t *groups, uint32_t count)
{
    md2__key_table *table = &smoother->groups;

    table->count = 0;
    md2__clear_indices(table->slots, count);
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t key[3] = { smoother->words[i], groups[i], 0 };
        uint64_t hash = md2__spread_bits(md2__spread_bits(key[0]) ^ key[1]);
        uint32_t slot = (uint32_t)(hash * count >> 32);
        groups[i] = md2__number_key(table, slot, key);
    }
    return table->count;
}

/* Replaces the number of each group by its first member. */
static void md2__find_first_members(md2__smoother *smoother, uint32_t *groups, uint32_t count)
{
    uint32_t *firsts = smoother->words; /* free now */
    uint32_t  group_count = 0;

    for (uint32_t i = 0; i < count; ++i) {
        if (groups[i] == group_count) {
            firsts[group_count] = i;
            ++group_count;
        }
        groups[i] = firsts[groups[i]];
    }
}

/* Returns a point as a word: x in the lowest byte, then y, z and the normal. */
static uint32_t md2__read_point(const md2_point *point)
{
    return md2__read_u32((const uint8_t *)point);
}

static const uint32_t md2__place_bits = 0xffffff; /* of md2__read_point: all but the normal */

/* Finds for each point the first that is equal to it in every frame: in the place, and if
   `with_normals` is true in the normal. */
static void md2__group_points(md2__smoother *smoother, bool with_normals, uint32_t *firsts)
{
    const md2_model *model = smoother->model;
    uint32_t         mask = with_normals ? UINT32_MAX : md2__place_bits;
    uint32_t         count = model->point_count, group_count = 1;

    for (uint32_t frame = 0; frame < model->frame_count && group_count < count; ++frame) {
        for (uint32_t i = 0; i < count; ++i) {
            smoother->words[i] = md2__read_point(&model->frames[frame].points[i]) & mask;
        }
        group_count = md2__split_groups(smoother, firsts, count);
    }
    md2__find_first_members(smoother, firsts, count);
}

/* Finds for each frame the first that is equal to it: in the box, and in the places of all points.
   Normals may differ. */
static void md2__group_frames(md2__smoother *smoother)
{
    const md2_frame *frames = smoother->frames;
    uint32_t         count = smoother->model->frame_count, group_count = 1;

    for (uint32_t axis = 0; axis < 3; ++axis) {
        for (uint32_t i = 0; i < count; ++i) {
            memcpy(&smoother->words[i], &frames[i].scale[axis], sizeof(float));
        }
        md2__split_groups(smoother, smoother->equals, count);

        for (uint32_t i = 0; i < count; ++i) {
            memcpy(&smoother->words[i], &frames[i].translate[axis], sizeof(float));
        }
        group_count = md2__split_groups(smoother, smoother->equals, count);
    }

    uint32_t point_count = smoother->model->point_count;
    for (uint32_t point = 0; point < point_count && group_count < count; ++point) {
        for (uint32_t i = 0; i < count; ++i) {
            smoother->words[i] = md2__read_point(&frames[i].points[point]) & md2__place_bits;
        }
        group_count = md2__split_groups(smoother, smoother->equals, count);
    }
    smoother->unequal_count = group_count;
    md2__find_first_members(smoother, smoother->equals, count);
}

/* -- Smoothing: in space --------------------------------------------------- */

/* Writes the points of a triangle clockwise as seen from outside, whether the model has them so or
   not: so the result is the same, bit for bit. */
static void md2__read_triangle(const md2_model *model, const uint32_t *indices, uint32_t points[3])
{
    bool clockwise = md2__are_triangles_clockwise(model);

    points[0] = model->vertices[indices[0]].point;
    points[1] = model->vertices[indices[clockwise ? 1 : 2]].point;
    points[2] = model->vertices[indices[clockwise ? 2 : 1]].point;
}

/* Adds a neighbor to those of a point, unless it is known, is the point itself, or twelve are
   known. */
static void md2__add_neighbor(md2__smoother *smoother, uint32_t index, uint32_t neighbor)
{
    md2__smooth_point *point = &smoother->points[index];

    if (neighbor == index || point->neighbor_count == MD2__PATCH_NEIGHBORS) {
        return;
    }
    for (uint32_t i = 0; i < point->neighbor_count; ++i) {
        if (point->neighbors[i] == neighbor) {
            return;
        }
    }
    point->neighbors[point->neighbor_count++] = (uint16_t)neighbor;
}

/* Lists each point's neighbors: the other points of its triangles. Points at one place have those
   of all of them together. */
static void md2__list_neighbors(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t i = 0; i < model->index_count; i += 3) {
        uint32_t corners[3];
        md2__read_triangle(model, &model->indices[i], corners);
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t place = smoother->places[corners[k]];
            md2__add_neighbor(smoother, place, smoother->places[corners[(k + 1) % 3]]);
            md2__add_neighbor(smoother, place, smoother->places[corners[(k + 2) % 3]]);
        }
    }
}

/* Adds a point to the current patch, unless another stands for it, it is a member already or in as
   many patches as it may be, or the patch is full. */
static void md2__add_patch_member(md2__smoother *smoother, uint32_t patch, uint32_t index)
{
    md2__smooth_point *point = &smoother->points[index];
    bool               is_other_place = smoother->places[index] != index;
    bool               is_member = point->last_patch == patch;
    bool               is_in_enough = point->patch_count >= MD2__MAX_PATCHES;
    bool               is_full = smoother->member_count >= smoother->patch_size;

    if (is_other_place || is_member || is_in_enough || is_full) {
        return;
    }
    point->last_patch = patch;
    ++point->patch_count;
    smoother->members[smoother->member_count++] = index;
}

/* Lists the members of the patch around a point. */
static void md2__grow_patch(md2__smoother *smoother, uint32_t seed)
{
    uint32_t patch = seed + 1; /* its number: a seed has but one patch, and 0 means none */

    smoother->member_count = 0;
    md2__add_patch_member(smoother, patch, seed);

    /* Breadth-first, in rings around the seed: the list of members is also the queue of those whose
       neighbors are yet to be added, and grows while it is walked. */
    for (uint32_t i = 0; i < smoother->member_count; ++i) {
        const md2__smooth_point *point = &smoother->points[smoother->members[i]];
        for (uint32_t k = 0; k < point->neighbor_count; ++k) {
            md2__add_patch_member(smoother, patch, point->neighbors[k]);
        }
    }

    /* The patch still has room if the seed's part of the mesh is small, like an eye. The points
       that follow the seed in the file, here the next 191, are mostly near. After the model's last
       point comes its first. */
    for (uint32_t i = 1; i < 4 * MD2__PATCH_SIZE; ++i) {
        md2__add_patch_member(smoother, patch, (seed + i) % smoother->model->point_count);
    }
}

/* Adds a frame to the matrix: for each two members the product of their bytes, summed over the
   three axes. The sums over all frames, at most 65,536, are whole and below 2^34: exact. */
static void md2__add_byte_products(md2__smoother *smoother, const md2_point *points)
{
    uint32_t count = smoother->member_count;

    for (uint32_t i = 0; i < count; ++i) {
        md2_point a = points[smoother->members[i]];
        for (uint32_t k = i; k < count; ++k) {
            md2_point b = points[smoother->members[k]];
            smoother->matrix[i * count + k] += a.x * b.x + a.y * b.y + a.z * b.z;
            smoother->matrix[k * count + i] = smoother->matrix[i * count + k]; /* symmetric */
        }
    }
}

/* Inverts a matrix in place by Gauss-Jordan elimination. It takes the pivots as they come, without
   a search for large ones. That is safe: the matrix is symmetric and has no eigenvalue below 1, and
   then no pivot is below 1 either, for each is a Schur complement on the diagonal. */
static void md2__invert_matrix(double *matrix, uint32_t count)
{
    for (uint32_t pivot = 0; pivot < count; ++pivot) {
        double *row = matrix + pivot * count;
        double  inverse = 1 / row[pivot];

        /* Elimination turns the pivot's column into that of the unit matrix, which need not be
           stored. The inverse's column takes its place. That one starts as the unit matrix's: 1 in
           this row, 0 in all others. */
        row[pivot] = 1;
        for (uint32_t k = 0; k < count; ++k) {
            row[k] *= inverse;
        }

        for (uint32_t i = 0; i < count; ++i) {
            if (i == pivot) {
                continue;
            }
            double *other = matrix + i * count;
            double  factor = other[pivot];
            other[pivot] = 0;
            for (uint32_t k = 0; k < count; ++k) {
                other[k] -= factor * row[k];
            }
        }
    }
}

/* Makes the filter of the current patch: this matrix, times the members' bytes on one axis in one
   frame, is an estimate of their noise, in steps.

   It is a Wiener filter. Call these bytes v, a vector of p = member_count numbers: signal plus
   noise. If the signal has the covariance C and the noise n I, the best linear estimate of the
   noise in v is n (C + n I)^-1 v. In a direction where C has the eigenvalue e it takes a share of
   n / (n + e) for noise: next to nothing where there is signal, nearly all elsewhere. */
static void md2__build_noise_filter(md2__smoother *smoother)
{
    uint32_t frames = smoother->model->frame_count, count = smoother->member_count;

    /* C is the sum of v v^T over the samples, in squared steps. It is not divided by their number,
       and the means of the members are not taken off.

       The samples are all frames and the three axes, for in each the signal of a rigid part has the
       same 4 dimensions: it is a * x + b * y + c * z + d * 1, where the vectors x, y and z are the
       members' coordinates at rest, the vector 1 is all ones, and only the numbers a, b, c and d
       differ. They come from the turn and the move of the part, and from the steps and the origin
       of the frame's box. In a patch on two parts there are at most 8 dimensions. So the signal
       gives C a few large eigenvalues. */
    memset(smoother->matrix, 0, sizeof(double) * count * count);
    for (uint32_t i = 0; i < frames; ++i) {
        md2__add_byte_products(smoother, smoother->model->frames[i].points);
    }

    /* The noise is in C as well, and must not pass for signal: n has to be well above what it adds
       to the eigenvalues. With F frames there are 3 F samples, so that is 3 F / 12 = F / 4 on
       average. It varies, the more the fewer samples there are: by the law of Marchenko and Pastur
       the largest is near (sqrt(3 F) + sqrt(p))^2 / 12. With n three times as large, the share that
       is taken for noise is at least some 3/4 in all directions without signal. A larger n would
       take more of small motions. */
    float  root = md2__sqrt(3.0f * (float)frames * (float)count);
    double power = (3.0 * frames + count + 2.0 * (double)root) / 4;

    /* The filter is the inverse of C / n + I, which has no unit. To this comes a huge multiple of
       the matrix of all ones, 1 1^T, as if there were a huge signal in the direction 1, in which
       all members move by the same. So next to nothing of that is taken for noise: the noise found
       in a patch of a real model has a mean of less than 0.00002 steps. And it makes no difference
       where a box begins, for that adds the same to all members, too. */
    const double common = 1e6;
    for (uint32_t i = 0; i < count * count; ++i) {
        smoother->matrix[i] = smoother->matrix[i] / power + common;
    }
    for (uint32_t i = 0; i < count; ++i) {
        smoother->matrix[i * count + i] += 1; /* so that no eigenvalue is below 1 */
    }
    md2__invert_matrix(smoother->matrix, count);
}

/* Applies the filter to the patch in one frame, and adds the noise that it finds to the paths. */
static void md2__add_patch_noise(md2__smoother *smoother, uint32_t frame)
{
    const md2_point *points = smoother->model->frames[frame].points;
    size_t           frames = smoother->model->frame_count;
    size_t           count = smoother->member_count;

    for (size_t i = 0; i < count; ++i) {
        float  *path = smoother->paths[smoother->members[i] * frames + frame];
        md2__f4 sum = md2__f4_load(path); /* three axes; the fourth lane is not stored */
        for (size_t k = 0; k < count; ++k) {
            md2__f4 factor = md2__f4_splat((float)smoother->matrix[i * count + k]);
            md2__f4 stored = md2__f4_load_point(&points[smoother->members[k]]);
            sum = md2__f4_add(sum, md2__f4_mul(factor, stored));
        }
        md2__f4_store3(path, sum);
    }
}

/* Returns the coordinate of a number in md2_fine.position, which is 256 * (byte + fraction) + 128.
   Fractions are from -127/256 to 127/256. So the low byte is 128 for a fraction of 0, from 1 to 255
   for all of them, and the high byte is always the byte of the file. */
static float md2__decode_fine(const md2_frame *frame, size_t axis, uint32_t number)
{
    return frame->translate[axis] + ((float)number - 128) * (frame->scale[axis] / 256);
}

/* Returns the number for a byte and a fraction of a step, which is rounded to 1/256, and cut off
   before it reaches 1/2: the whole still rounds to the byte. */
static uint16_t md2__encode_fine(uint32_t byte, float fraction)
{
    float low_byte = fraction * 256 + 128.5f; /* the cast below takes off what is left of the .5 */
    low_byte = low_byte > 1 ? low_byte : 1.0f;
    low_byte = low_byte < 255 ? low_byte : 255.0f;
    return (uint16_t)(byte * 256 + (uint32_t)low_byte);
}

/* Replaces the noise in a point's path by positions: those of the file less the noise, which is
   averaged over the patches that the point is in: at least one, for a point in none begins one. */
static void md2__subtract_noise(md2__smoother *smoother, uint32_t point)
{
    const md2_model *model = smoother->model;

    for (uint32_t frame = 0; frame < model->frame_count; ++frame) {
        float         *path = smoother->paths[(size_t)point * model->frame_count + frame];
        md2_fine      *fine = &smoother->fine[(size_t)frame * model->point_count + point];
        const uint8_t *bytes = (const uint8_t *)&model->frames[frame].points[point]; /* x, y, z */

        for (uint32_t axis = 0; axis < 3; ++axis) {
            float noise = path[axis] / smoother->points[point].patch_count;
            fine->position[axis] = md2__encode_fine(bytes[axis], -noise);
            path[axis] = md2__decode_fine(&model->frames[frame], axis, fine->position[axis]);
        }
    }
}

/* Pass 1: finds the noise, patch by patch, and then the positions without it. */
static void md2__smooth_in_space(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    md2__list_neighbors(smoother);
    for (uint32_t i = 0; i < model->point_count; ++i) {
        bool is_done = smoother->points[i].patch_count >= MD2__MIN_PATCHES;
        if (smoother->places[i] != i || is_done) {
            continue;
        }
        md2__grow_patch(smoother, i);
        md2__build_noise_filter(smoother);
        for (uint32_t frame = 0; frame < model->frame_count; ++frame) {
            md2__add_patch_noise(smoother, frame);
        }
    }

    for (uint32_t i = 0; i < model->point_count; ++i) {
        if (smoother->places[i] == i) {
            md2__subtract_noise(smoother, i);
        }
    }
}

/* -- Smoothing: in time ---------------------------------------------------- */

/* The path of one point through the frames of all animations. On each axis, pass 2 looks for the
   positions z[i] in the frames i that make

       E(z) = sum of (z[i] - x[i])^2 + sum of w[i] * a[i]^2,    a[i] = z[before] - 2 z[i] + z[after]

   least. x are the positions that pass 1 has found, a is the acceleration, and the weights w say
   how much it is resisted. The last frame of an animation is followed by its first. Frames that
   share a position have the same z. */
typedef struct md2__path {
    const md2_model *model;
    const uint32_t  *equals;          /* the smoother's */
    md2__path_step  *steps;           /* [frame_count] x, w, and the frames beside each */
    float          (*positions)[3];   /* [frame_count]: z; it starts as x */
    uint32_t         point;
} md2__path;

/* Links the frames of each animation to a ring. */
static void md2__link_frames(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t i = 0; i < model->anim_count; ++i) {
        uint32_t first = model->anims[i].first, last = first + model->anims[i].count - 1;
        for (uint32_t frame = first; frame <= last; ++frame) {
            smoother->steps[frame].before = frame > first ? frame - 1 : last;
            smoother->steps[frame].after = frame < last ? frame + 1 : first;
        }
    }
}

/* Returns a[i] on an axis. */
static float md2__find_acceleration(const md2__path *path, size_t axis, uint32_t i)
{
    float (*z)[3] = path->positions;
    return z[path->steps[i].before][axis] - 2 * z[i][axis] + z[path->steps[i].after][axis];
}

/* Returns the square of the acceleration in frame i, in steps of that frame. */
static float md2__measure_acceleration(const md2__path *path, uint32_t i)
{
    float squared = 0;

    for (uint32_t axis = 0; axis < 3; ++axis) {
        float scale = path->model->frames[i].scale[axis];
        if (scale != 0) { /* else the box is flat, and all of the frame has the same coordinate */
            float change = md2__find_acceleration(path, axis, i) / scale;
            squared += change * change;
        }
    }
    return squared;
}

/* Sets w[i] = 8 / (1 + 4 a^4), where a is the largest acceleration, in steps, in the frame, the one
   before and the one after: 8 at rest, 4 for 0.7 steps, 1.6 for 1 step, 0.1 for 2.

   Rounding alone makes accelerations of 0.7 steps on each axis: its variance of 1/12 counts once
   for each of the frames beside, and four times for 2 z[i], which is 1/2 in all. Accelerations of
   that size mean little. Larger ones are motion. They are left alone, and so are the frames beside,
   lest a sudden move is drawn out; and the seam of an animation whose last frame is far from its
   first.

   With weights of 8 throughout, a wave of frequency f (in radians a frame) would keep
   1 / (1 + 8 (2 - 2 cos f)^2) of its height: half if it takes 10 frames, 0.93 if it takes 20. With
   16, the one of 10 frames would keep a third, and the knight be off by 0.133 steps, not 0.130. */
static void md2__weigh_accelerations(const md2__path *path)
{
    uint32_t        count = path->model->frame_count;
    md2__path_step *steps = path->steps;

    for (uint32_t i = 0; i < count; ++i) {
        steps[i].acceleration = md2__measure_acceleration(path, i);
    }
    for (uint32_t i = 0; i < count; ++i) {
        float before = steps[steps[i].before].acceleration;
        float after = steps[steps[i].after].acceleration;
        float largest = steps[i].acceleration; /* a^2 */
        largest = before > largest ? before : largest;
        largest = after > largest ? after : largest;
        steps[i].weight = 8 / (1 + 4 * largest * largest);
    }
}

/* Returns the first of the frames that share a position with frame i. */
static uint32_t md2__find_first_sharing(md2__path_step *steps, uint32_t i)
{
    while (steps[i].first != i) {
        steps[i].first = steps[steps[i].first].first; /* halves the path, for the next time */
        i = steps[i].first;
    }
    return i;
}

/* Joins all that share a position with frame a to all that share one with frame b. */
static void md2__join_frames(md2__path_step *steps, uint32_t a, uint32_t b)
{
    uint32_t first = md2__find_first_sharing(steps, a);
    uint32_t other = md2__find_first_sharing(steps, b);

    if (first < other) {
        steps[other].first = first;
    } else {
        steps[first].first = other;
    }
}

/* Returns true if the file stores the same coordinate in all frames of an animation. */
static bool md2__is_anim_still(const md2__path *path, const md2_anim *anim, size_t axis)
{
    float first = 0;

    for (uint32_t i = 0; i < anim->count; ++i) {
        const md2_frame *frame = &path->model->frames[anim->first + i];
        const uint8_t   *bytes = (const uint8_t *)&frame->points[path->point]; /* x, y, z */
        float            coordinate = md2__decode_fine(frame, axis, 256u * bytes[axis] + 128);

        first = i == 0 ? coordinate : first;
        if (coordinate != first) {
            return false;
        }
    }
    return true;
}

/* Finds which frames share a position on this axis: those that are equal, and those of an animation
   in which the coordinate stands still. Where a frame of such an animation is equal to one of
   another, this joins both. The frames that share one are linked to a ring. */
static void md2__share_positions(const md2__path *path, size_t axis)
{
    const md2_model *model = path->model;
    md2__path_step  *steps = path->steps;

    for (uint32_t i = 0; i < model->frame_count; ++i) {
        steps[i].first = path->equals[i];
    }
    for (uint32_t i = 0; i < model->anim_count; ++i) {
        const md2_anim *anim = &model->anims[i];
        if (md2__is_anim_still(path, anim, axis)) {
            for (uint32_t k = 1; k < anim->count; ++k) {
                md2__join_frames(steps, anim->first, anim->first + k);
            }
        }
    }

    for (uint32_t i = 0; i < model->frame_count; ++i) {
        uint32_t first = md2__find_first_sharing(steps, i);
        steps[i].first = first;
        steps[i].next = i;
        if (i != first) { /* it goes between the first and what follows that */
            steps[i].next = steps[first].next;
            steps[first].next = i;
        }
    }
}

/* Moves a shared position to where E is least while the others stay. `first` is the first of its
   frames.

   z[i] is in three accelerations: in a[before] and a[after] once, in a[i] -2 times. So half of the
   derivative of E by z[i], the slope, and the derivative of that, the curvature, are

       z[i] - x[i] + w[before] * a[before] - 2 w[i] * a[i] + w[after] * a[after],
       1 + w[before] + 4 w[i] + w[after].

   Those of the frames that share the position add up, and E is least where the slope is 0: that is
   slope / curvature away.

   If some of these frames are beside each other, the true curvature differs, for an acceleration
   then has the position more than once: it has a square of a sum, not a sum of squares. But it is
   less than twice as large: (1 + 1)^2 against 1^2 + 1^2 at most, and the 1 above is right. A step
   of less than twice the right length still makes E smaller. */
static void md2__relax_position(const md2__path *path, size_t axis, uint32_t first)
{
    const md2__path_step *steps = path->steps;
    float               (*z)[3] = path->positions;
    float                 slope = 0, curvature = 0;

    uint32_t i = first;
    do {
        uint32_t before = steps[i].before, after = steps[i].after;
        slope += z[i][axis] - steps[i].found;
        slope += steps[before].weight * md2__find_acceleration(path, axis, before);
        slope -= 2 * steps[i].weight * md2__find_acceleration(path, axis, i);
        slope += steps[after].weight * md2__find_acceleration(path, axis, after);
        curvature += 1 + steps[before].weight + 4 * steps[i].weight + steps[after].weight;
        i = steps[i].next;
    } while (i != first);

    float position = z[first][axis] - slope / curvature;
    do {
        z[i][axis] = position;
        i = steps[i].next;
    } while (i != first);
}

/* The Gauss-Seidel method: sweeps over the path, and relaxes one position after the other. None of
   that makes E larger. E is quadratic and has a single minimum, so the sweeps come ever nearer to
   it: after 16, in real models, it is 0.005 steps away (root mean square), and 0.2 at most. */
static void md2__relax_path(const md2__path *path, size_t axis)
{
    uint32_t        count = path->model->frame_count;
    md2__path_step *steps = path->steps;

    for (uint32_t i = 0; i < count; ++i) {
        steps[i].found = path->positions[i][axis];
        path->positions[i][axis] = path->positions[steps[i].first][axis];
    }
    for (uint32_t sweep = 0; sweep < MD2__TIME_SWEEPS; ++sweep) {
        for (uint32_t i = 0; i < count; ++i) {
            if (steps[i].first == i) {
                md2__relax_position(path, axis, i);
            }
        }
    }
}

/* Smooths the path of a point. Weights come from the positions of pass 1 on all three axes, so all
   before the first sweep. */
static void md2__smooth_path(const md2__path *path)
{
    md2__weigh_accelerations(path);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        md2__share_positions(path, axis);
        md2__relax_path(path, axis);
    }
}

/* Returns the number for a coordinate that rounds to this byte. */
static uint16_t md2__encode_coordinate(const md2_frame *frame, size_t axis, uint32_t byte,
                                       float coordinate)
{
    /* In a flat box all numbers have the same coordinate: this is the least one of the byte. */
    if (frame->scale[axis] == 0) {
        return md2__encode_fine(byte, -1);
    }

    float steps = (coordinate - frame->translate[axis]) / frame->scale[axis];
    return md2__encode_fine(byte, steps - (float)byte);
}

/* Writes the positions on the paths to the fine points. Points at one place take the path of the
   first. */
static void md2__write_paths(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t frame = 0; frame < model->frame_count; ++frame) {
        md2_fine *fine = smoother->fine + (size_t)frame * model->point_count;
        for (uint32_t i = 0; i < model->point_count; ++i) {
            size_t         path = (size_t)smoother->places[i] * model->frame_count;
            const float   *position = smoother->paths[path + frame];
            const uint8_t *bytes = (const uint8_t *)&model->frames[frame].points[i]; /* x, y, z */

            for (uint32_t axis = 0; axis < 3; ++axis) {
                fine[i].position[axis] = md2__encode_coordinate(&model->frames[frame], axis,
                                                                bytes[axis], position[axis]);
            }
        }
    }
}

/* Pass 2: smooths the path of each point through all animations. */
static void md2__smooth_in_time(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    md2__link_frames(smoother);
    for (uint32_t point = 0; point < model->point_count; ++point) {
        if (smoother->places[point] != point) {
            continue;
        }

        md2__path path;
        path.model = model;
        path.equals = smoother->equals;
        path.steps = smoother->steps;
        path.positions = smoother->paths + (size_t)point * model->frame_count;
        path.point = point;
        md2__smooth_path(&path);
    }
    md2__write_paths(smoother);
}

/* -- Smoothing: normals ---------------------------------------------------- */

/* Returns the angle between two vectors in quarter turns, 0 to 2, from its sine and cosine times
   any positive factor. The quotient is exact at 0, 1/2 and 1, and up to 4.1 degrees off in between.
   The cubic, which is 0 at these three, leaves less than half a degree. */
static float md2__estimate_angle(float sine, float cosine)
{
    float angle = sine / (sine + md2__absolute(cosine)); /* the acute one of the two */
    angle += 0.9f * (angle - 0.5f) * angle * (1 - angle);
    return cosine < 0 ? 2 - angle : angle;
}

/* Finds for each point the end of one of its edges: the first that leads to another place. */
static void md2__find_edges(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t i = 0; i < model->index_count; i += 3) {
        uint32_t corners[3];
        md2__read_triangle(model, &model->indices[i], corners);
        for (uint32_t k = 0; k < 3; ++k) {
            md2__smooth_point *point = &smoother->points[smoother->twins[corners[k]]];
            uint32_t           end = smoother->places[corners[(k + 1) % 3]];

            if (!point->has_edge && end != smoother->places[corners[k]]) {
                point->has_edge = true;
                point->edge_end = (uint16_t)end;
            }
        }
    }
}

/* Adds the triangle's normal to those of its three points, weighted by its angle at each: so it
   does not matter how a flat face is cut into triangles. Points that are at one place with the same
   normals are one: so a seam of the texture does not show in the light. */
static void md2__add_triangle_normal(md2__smoother *smoother, const uint32_t *indices)
{
    uint32_t           points[3];
    md2__smooth_point *corners[3];
    float              edges[3][3]; /* from each corner to the next */
    float              normal[3];

    md2__read_triangle(smoother->model, indices, points);
    for (uint32_t i = 0; i < 3; ++i) {
        corners[i] = &smoother->points[smoother->twins[points[i]]];
    }
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t next = (i + 1) % 3;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            edges[i][axis] = corners[next]->position[axis] - corners[i]->position[axis];
        }
    }

    md2__vec3_cross(edges[1], edges[0], normal); /* outwards: the corners go clockwise */
    float twice_area = md2__vec3_normalize(normal);
    if (!(twice_area > 0)) {
        return;
    }

    /* The sine of a corner's angle, times the lengths of both edges there, is twice the area. The
       cosine times these is the dot product of the two, both directed away from the corner. The
       previous edge leads to it: hence the minus. */
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t previous = (i + 2) % 3;
        float    cosine = -md2__vec3_dot(edges[previous], edges[i]);
        float    angle = md2__estimate_angle(twice_area, cosine);
        for (uint32_t axis = 0; axis < 3; ++axis) {
            corners[i]->normal[axis] += normal[axis] * angle;
        }
        corners[i]->angle += angle;
    }
}

/* Computes each point's smoothed position in a frame, and the sum of the normals of its faces in
   that frame alone. The sum is 0 if it has no faces, or if the mesh has too many triangles to visit
   in each frame. */
static void md2__compute_face_normals(md2__smoother *smoother, uint32_t frame)
{
    const md2_model *model = smoother->model;
    const md2_fine  *fine = smoother->fine + (size_t)frame * model->point_count;

    for (uint32_t i = 0; i < model->point_count; ++i) {
        md2__smooth_point *point = &smoother->points[i];
        for (uint32_t axis = 0; axis < 3; ++axis) {
            point->position[axis] =
                md2__decode_fine(&model->frames[frame], axis, fine[i].position[axis]);
            point->normal[axis] = 0;
        }
        point->angle = 0;
    }

    if (!md2__may_visit_faces_per_frame(model)) {
        return;
    }
    for (uint32_t i = 0; i < model->index_count; i += 3) {
        md2__add_triangle_normal(smoother, &model->indices[i]);
    }
}

/* Computes perpendicular axes of length 1 that turn with the faces around a point: along their
   normal, along the surface towards the end of one of its edges (each point with a face has one),
   and perpendicular to both. Returns false if there are none: no faces, faces that cancel each
   other, or an edge without length. md2__vec3_normalize leaves such a vector 0, and so are all
   products with it, up to the last one. */
static bool md2__compute_face_axes(const md2__smoother *smoother, const md2__smooth_point *point,
                                   float axes[3][3])
{
    const md2__smooth_point *end = &smoother->points[point->edge_end];
    float                    edge[3];

    for (uint32_t i = 0; i < 3; ++i) {
        axes[0][i] = point->normal[i];
        edge[i] = end->position[i] - point->position[i];
    }
    md2__vec3_normalize(axes[0]);

    /* The edge need not be perpendicular to the normal. The product with it is, and so is the
       product of that with the normal: the part of the edge that lies along the surface. */
    md2__vec3_cross(axes[0], edge, axes[2]);
    md2__vec3_normalize(axes[2]);
    md2__vec3_cross(axes[2], axes[0], axes[1]);
    return md2__vec3_normalize(axes[1]) > 0;
}

/* Returns true if the faces around a point cancel each other in the current frame: if their sum is
   less than a quarter of what it would be if all lay in a plane. Then noise decides where it
   points. Such are the faces of a two-sided part, each of which has another one as its back; those
   of two sides within 29 degrees of each other; and those of a round spike as narrow. */
static bool md2__do_faces_cancel(const md2__smooth_point *point)
{
    return 16 * md2__vec3_dot(point->normal, point->normal) < point->angle * point->angle;
}

/* Adds a frame's stored normals to the points' sums, in the axes of the faces there. A normal that
   turns with the surface is the same in these axes in all frames, apart from its rounding. */
static void md2__sum_stored_normals(md2__smoother *smoother, uint32_t frame)
{
    const md2_model *model = smoother->model;
    const md2_point *stored = model->frames[frame].points;
    const md2_point *before = model->frames[frame > 0 ? frame - 1 : 0].points;

    md2__compute_face_normals(smoother, frame);
    for (uint32_t i = 0; i < model->point_count; ++i) {
        md2__smooth_point *point = &smoother->points[i];
        const float       *normal = md2_normal(stored[i].normal);
        float              axes[3][3];

        if (stored[i].normal != before[i].normal) {
            ++point->normal_changes;
        }
        if (md2__do_faces_cancel(point)) {
            point->has_canceling_faces = true;
        }
        if (!md2__compute_face_axes(smoother, point, axes)) {
            continue;
        }
        for (uint32_t k = 0; k < 3; ++k) {
            point->stored_sum[k] += md2__vec3_dot(normal, axes[k]);
        }
    }
}

/* Returns the mean of a point's stored normals in the axes of the faces, drawn towards the normal
   of the faces, which is (1, 0, 0) there.

   The mean differs from that normal by some d. Some of this is meant by the author; some is chance,
   for the stored normals are rounded to 162 directions: each is off by 0.013 in the mean square.
   Where a normal stays the same, so does its error. The mean thus has about as many independent
   errors as the normal has changed, plus one, and chance makes d^2 some 0.013 / (changes + 1).

   As by James and Stein's estimator, d is shrunk by a factor that is near 1 if d^2 is well above
   that, and near 0 if it is not. Theirs is 1 - c / d^2. This one, d^2 / (d^2 + c), is nearly the
   same for large d and never negative. With c = 0.1 / (changes + 2) only what is clearly above
   chance counts: half of d is left if d^2 is c, and that is four to eight times as much. Twice the
   c would serve a model whose author meant nothing (the knight's normals would be off by 1.76
   degrees, not 1.89), at the cost of all that others have meant.

   Returns false if the stored normals cancel each other. */
static bool md2__shrink_mean_normal(const md2__smooth_point *point, float mean[3])
{
    float c = 0.1f / ((float)point->normal_changes + 2);

    memcpy(mean, point->stored_sum, sizeof point->stored_sum);
    if (!(md2__vec3_normalize(mean) > 0)) {
        return false;
    }
    mean[0] -= 1; /* now it is d */

    float squared = md2__vec3_dot(mean, mean);
    float share = squared / (squared + c);
    mean[0] = mean[0] * share + 1;
    mean[1] *= share;
    mean[2] *= share;
    return true;
}

/* Returns the octahedral map of a normal: 128 + x in the low byte, 128 + y in the high one, with x
   and y from -127 to 127. So the result is above 255, and no shader takes it for an index of the
   table of normals. */
static uint16_t md2__encode_normal(const float n[3])
{
    /* Divided by |x| + |y| + |z| the normal lies on an octahedron. Its upper half is seen from
       above, a square on its corner. The lower half is folded outwards over the sides, into the
       four corners of the square around: there |z| is added to both |x| and |y|. */
    float fold = n[2] < 0 ? -n[2] : 0;
    float x = n[0] < 0 ? n[0] - fold : n[0] + fold;
    float y = n[1] < 0 ? n[1] - fold : n[1] + fold;
    float size = md2__absolute(n[0]) + md2__absolute(n[1]) + md2__absolute(n[2]);

    uint32_t low = (uint32_t)(x / size * 127 + 128.5f); /* rounded: -127 to 127, plus 128 */
    uint32_t high = (uint32_t)(y / size * 127 + 128.5f);
    return (uint16_t)(low + 256 * high);
}

/* Turns a normal back to the stored one until it is at most 28.4 degrees from it, an angle of
   cosine 0.88 and sine 0.475. That is twice what rounding to the table's directions makes. If it is
   farther away, the faces have turned over, or the stored normals differ so much that their mean
   says nothing. So from frame to frame a normal turns by at most 57 degrees more than the stored
   one. Both have length 1. */
static void md2__limit_turn(const float stored[3], float normal[3])
{
    float cosine = md2__vec3_dot(stored, normal);
    if (cosine >= 0.88f) {
        return;
    }

    float aside[3]; /* the part of the normal that is perpendicular to the stored one */
    for (uint32_t i = 0; i < 3; ++i) {
        aside[i] = normal[i] - cosine * stored[i];
    }
    bool has_side = md2__vec3_normalize(aside) > 0; /* else it is opposite */
    for (uint32_t i = 0; i < 3; ++i) {
        normal[i] = has_side ? 0.88f * stored[i] + 0.475f * aside[i] : stored[i];
    }
}

/* Computes the normal of a point in the current frame: its mean, turned with the faces there. It is
   the stored normal if these cancel each other in some frame, or if the result has no direction. */
static void md2__compute_smooth_normal(const md2__smoother *smoother,
                                       const md2__smooth_point *point, const float stored[3],
                                       float normal[3])
{
    float axes[3][3], mean[3], turned[3];

    memcpy(normal, stored, sizeof turned);
    if (point->has_canceling_faces || !md2__compute_face_axes(smoother, point, axes)) {
        return;
    }

    if (!md2__shrink_mean_normal(point, mean)) {
        return;
    }

    /* From the axes of the faces back to those of the model. */
    for (uint32_t k = 0; k < 3; ++k) {
        turned[k] = mean[0] * axes[0][k] + mean[1] * axes[1][k] + mean[2] * axes[2][k];
    }
    if (md2__vec3_normalize(turned) > 0) {
        md2__limit_turn(stored, turned);
        memcpy(normal, turned, sizeof turned);
    }
}

/* Writes the normals of a frame. Twins have the normal of the first. */
static void md2__write_frame_normals(md2__smoother *smoother, uint32_t frame)
{
    const md2_model *model = smoother->model;
    const md2_point *stored = model->frames[frame].points;
    md2_fine        *fine = smoother->fine + (size_t)frame * model->point_count;

    md2__compute_face_normals(smoother, frame);
    for (uint32_t i = 0; i < model->point_count; ++i) {
        const md2__smooth_point *twin = &smoother->points[smoother->twins[i]];
        float                    normal[3];

        md2__compute_smooth_normal(smoother, twin, md2_normal(stored[i].normal), normal);
        fine[i].normal = md2__encode_normal(normal);
    }
}

/* Pass 3: first the means of the stored normals over all frames, then the normals of each frame. */
static void md2__smooth_normals(md2__smoother *smoother)
{
    md2__find_edges(smoother);
    for (uint32_t frame = 0; frame < smoother->model->frame_count; ++frame) {
        md2__sum_stored_normals(smoother, frame);
    }
    for (uint32_t frame = 0; frame < smoother->model->frame_count; ++frame) {
        md2__write_frame_normals(smoother, frame);
    }
}

/* -- Smoothing: the copy --------------------------------------------------- */

/* Lays out what only smoothing needs, and returns its size. With block NULL it only measures.
   Besides the paths it is at most 356 bytes a point, up to 22 doubles of these for the matrix, 60
   bytes a frame, and a few for alignment. */
static uint64_t md2__lay_out_smoother(md2__smoother *smoother, uint8_t *block)
{
    uint64_t total = 0, size = 1; /* MD2__PLACE adds to the total */
    uint64_t points = smoother->source->point_count;
    uint64_t frames = smoother->source->frame_count;

    /* A patch has at most 48 members, no more than there are points, and a matrix, the square of
       that, of at most 22 numbers for each point. From 105 points on the 48 decide. */
    while (size < MD2__PATCH_SIZE && size < points && (size + 1) * (size + 1) <= 22 * points) {
        ++size;
    }
    smoother->patch_size = (uint32_t)size;

    smoother->places = MD2__PLACE(uint32_t, points);
    smoother->twins = MD2__PLACE(uint32_t, points);
    smoother->equals = MD2__PLACE(uint32_t, frames);

    /* Points and frames are grouped one after the other. */
    uint64_t grouped = points > frames ? points : frames;
    smoother->words = MD2__PLACE(uint32_t, grouped);
    smoother->groups.slots = MD2__PLACE(uint32_t, grouped);
    smoother->groups.nodes = MD2__PLACE(md2__key_node, grouped);

    smoother->points = MD2__PLACE(md2__smooth_point, points);
    smoother->steps = MD2__PLACE(md2__path_step, frames);
    smoother->matrix = MD2__PLACE(double, size * size);

    /* One float more, for md2__add_patch_noise loads the last three as a vector of four. */
    smoother->paths = (float (*)[3])(void *)MD2__PLACE(float, 3 * points * frames + 1);
    return total;
}

/* Allocates the result, a copy of the model with a block of its own, and after all of that the fine
   points, which are left to fill in. */
static bool md2__copy_model(md2__smoother *smoother)
{
    const md2_model *source = smoother->source;
    md2_model        copy;
    size_t           points = source->point_count;

    uint64_t fine_offset =
        md2__lay_out_model(source, NULL, &copy, &smoother->frames, &smoother->stored);
    uint64_t total = fine_offset + (uint64_t)source->frame_count * points * sizeof(md2_fine);
    uint8_t *block = (uint8_t *)md2__alloc(&smoother->context, total);
    if (!block) {
        return false;
    }

    md2__lay_out_model(source, block, &copy, &smoother->frames, &smoother->stored);
    smoother->fine = (md2_fine *)(void *)(block + (size_t)fine_offset);
    for (size_t i = 0; i < source->frame_count; ++i) {
        md2_point *stored = smoother->stored + i * points;
        memcpy(stored, source->frames[i].points, points * sizeof *stored);
        smoother->frames[i].points = stored;
        smoother->frames[i].fine = smoother->fine + i * points;
    }

    /* A model's block begins with the model itself. */
    copy.bytes = (size_t)total;
    copy.allocator = smoother->context.allocator;
    copy.private_data.self = block;
    smoother->model = (md2_model *)memcpy(block, &copy, sizeof copy);
    return true;
}

/* Fine points reach half a step beyond the bytes of the file, and their grid begins half a step
   before byte 0. So that no float overflows, a copy that is near FLT_MAX becomes a little smaller:
   then a step, of which 255 are below FLT_MAX, is less than what is taken off. */
static void md2__keep_copy_finite(md2__smoother *smoother)
{
    const float most = FLT_MAX / 128 * 126;
    bool        is_finite = true;
    for (uint32_t i = 0; i < smoother->model->frame_count; ++i) {
        const md2_frame *frame = &smoother->frames[i];
        for (uint32_t axis = 0; axis < 3; ++axis) {
            float reach = md2__absolute(frame->scale[axis]) * 255;
            is_finite = is_finite && reach < most && frame->translate[axis] > -most &&
                        frame->translate[axis] < most && frame->min[axis] > -most &&
                        frame->max[axis] < most;
        }
    }

    for (uint32_t i = 0; i < smoother->model->frame_count && !is_finite; ++i) {
        for (uint32_t axis = 0; axis < 3; ++axis) {
            smoother->frames[i].scale[axis] *= 126 / 128.0f;
            smoother->frames[i].translate[axis] *= 126 / 128.0f;
        }
    }
}

/* Writes the points of the file to the fine points, in the middle of their bytes. */
static void md2__copy_points(md2__smoother *smoother)
{
    size_t count = (size_t)smoother->model->frame_count * smoother->model->point_count;

    for (size_t i = 0; i < count; ++i) {
        const md2_point *stored = &smoother->stored[i];
        smoother->fine[i].position[0] = md2__encode_fine(stored->x, 0);
        smoother->fine[i].position[1] = md2__encode_fine(stored->y, 0);
        smoother->fine[i].position[2] = md2__encode_fine(stored->z, 0);
        smoother->fine[i].normal = md2__encode_normal(md2_normal(stored->normal));
    }
}

/* Computes the bounds of each frame and of the result anew. */
static void md2__bound_smooth_model(md2__smoother *smoother)
{
    for (uint32_t i = 0; i < smoother->model->frame_count; ++i) {
        md2_frame *frame = &smoother->frames[i];
        md2_pose   pose = md2_pose_between(i, i, 0); /* this frame alone */
        md2_pose_bounds(smoother->model, &pose, frame->min, frame->max);
    }
    md2__compute_model_bounds(smoother->model);
}

/* Smooths the copy. */
static void md2__smooth_copy(md2__smoother *smoother)
{
    md2__keep_copy_finite(smoother);
    md2__copy_points(smoother);

    md2__group_frames(smoother);
    if (smoother->unequal_count > 1) {
        md2__group_points(smoother, false, smoother->places);
        md2__group_points(smoother, true, smoother->twins);
        md2__smooth_in_space(smoother);
        md2__smooth_in_time(smoother);
        md2__smooth_normals(smoother);
    }
    md2__bound_smooth_model(smoother);
}

/* Makes smoother->model. On failure that stays NULL, and the context has the error. */
static void md2__run_smoother(md2__smoother *smoother, const md2_options *options)
{
    const md2_allocator *allocator = options ? &options->allocator : NULL;
    size_t               max_bytes = options ? options->max_bytes : 0;

    if (!md2__init_context(&smoother->context, allocator, max_bytes)) {
        return;
    }
    if (!smoother->source) {
        md2__fail(&smoother->context, MD2_ERROR_ARGUMENT, "no model is given");
        return;
    }

    uint64_t bytes = md2__lay_out_smoother(smoother, NULL);
    uint8_t *block = (uint8_t *)md2__alloc(&smoother->context, bytes);
    if (!block) {
        return;
    }
    if (md2__copy_model(smoother)) {
        memset(block, 0, (size_t)bytes);
        md2__lay_out_smoother(smoother, block);
        md2__smooth_copy(smoother);
    }
    md2__release(&smoother->context, block, (size_t)bytes);
}

MD2_API md2_model *md2_smooth_model(const md2_model *model, const md2_options *options,
                                    md2_error *error)
{
    md2__smoother smoother;

    memset(&smoother, 0, sizeof smoother);
    smoother.source = model;
    md2__run_smoother(&smoother, options);
    md2__report_error(&smoother.context, error);
    return smoother.model;
}
#endif
