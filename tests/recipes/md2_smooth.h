/* md2_smooth.h - 1.0.0 - the code of md2_smooth_model. If MD2_SMOOTH is defined, md2.h of the same
   version includes this file: copy it next to md2.h. MIT license or public domain: see md2.h. */

#if !defined(MD2__COLD)
  #error "md2_smooth.h is a part of md2.h: define MD2_SMOOTH, and include only md2.h"
#elif MD2_LIBRARY_VERSION != 10000
  #error "md2.h and md2_smooth.h have different versions: copy both from the same version"
#else

/* -- Smoothing -------------------------------------------------------------- */

/* The problem. A frame stores each coordinate as a byte, a whole number of quantization steps in
   the frame's bounding box; a step is frame->scale. Rounding adds an error of up to half a step:
   its distribution is uniform, its variance is 1/12, and it is independent from point to point. The
   error changes from frame to frame, so that slow motions jitter. Below, the errors are called
   noise, and everything else is signal.

   The goal is to find positions that are as near as possible to the positions before rounding, and
   that still round to the bytes of the file.

   Equal data stays equal. Three kinds of data are stored repeatedly in the file, but are treated as
   one, so that they cannot drift apart:

   - Points that have the same position in every frame, as at a seam or a hard edge. The first of
     these points represents all: md2__group_points.
   - Frames that have the same points, such as the end of one animation and the start of the next.
     They share a position: md2__group_frames, md2__share_positions.
   - A coordinate that is constant in an animation. All frames of the animation share a position.

   A model with a single frame has no motion that could separate signal from noise, so it stays
   unchanged.

   There are three passes, in md2__smooth_copy:

   1. In space: md2__smooth_in_space. Neighboring points on the surface move together, so motion
      that they have in common is signal, and motion of a single point is mostly noise. A Wiener
      filter for each patch of up to 48 points estimates the noise. Patches overlap, and the noise
      of a point is the average over its patches.
   2. In time: md2__smooth_in_time. Each point has a path through each animation. The path is
      replaced by a path near it, in which small accelerations are even smaller, and large
      accelerations stay. The new path is the solution of a least-squares problem.
   3. Normals: md2__smooth_normals. The faces between the smoothed points give normals without
      jitter, but the author may have wanted different normals. So the stored normals, which have
      only 162 directions, are averaged over all frames, in axes that rotate with the faces. The
      normal in each frame is this average, rotated with the faces.

   All data is in md2__smoother below, which lists each array with its unit and the functions that
   write it. A coordinate is one of these:

   byte      stored in the file, in whole steps: the coordinate is byte * scale + translate
   fraction  difference between the result and the byte's coordinate, in steps: from -127/256 to
             127/256. A fine point stores byte and fraction as one number: md2__encode_fine
   position  the coordinate itself, in model units, as a float */

/* The comments give the effect of doubling each number, measured with the knight, whose exact
   animations are known. With the numbers below, positions are off by 0.130 steps. */
enum {
    MD2__PATCH_SIZE = 48,             /* most points of a patch. Doubled: off by 0.123 steps, but
                                         the matrix is four times as large */
    MD2__PATCH_NEIGHBORS = 12,        /* most neighbors stored for a point. Doubled: no effect,
                                         because few points have more */
    MD2__MIN_PATCHES = 2,             /* a point that is in fewer patches when it is visited starts
                                         a patch. Doubled: off by 0.131 steps, and takes 1.5 times
                                         as long */
    MD2__MAX_PATCHES = 6,             /* most patches of a point. Doubled: no effect, but a crafted
                                         mesh takes twice as long */
    MD2__TIME_SWEEPS = 16             /* see md2__relax_path. Doubled: no effect */
};

/* Data of a point. Pass 1 uses only the first of several points with the same position, and pass 3
   only the first of several with the same position and normal: the first represents the others. */
typedef struct md2__smooth_point {
    /* For pass 1: the mesh around the point (md2__list_neighbors), and its patches
       (md2__add_patch_member). */
    uint16_t neighbors[MD2__PATCH_NEIGHBORS]; /* points that share a triangle with this point */
    uint8_t  neighbor_count;
    uint8_t  patch_count;             /* number of patches that contain the point */
    uint32_t last_patch;              /* number of the last of these patches; 0 = none */

    /* For pass 3: an edge that rotates with the faces of the point (md2__find_edges). */
    uint16_t edge_end;                /* point at the other end */
    bool     has_edge;                /* the point has an edge to a different position */

    /* For pass 3: a summary of the stored normals in all frames (md2__sum_stored_normals). */
    bool     has_canceling_faces;     /* in at least one frame */
    float    stored_sum[3];           /* sum of the normals, in the axes of the faces */
    uint32_t normal_changes;          /* frames whose normal differs from the previous frame's */

    /* For pass 3: data of the current frame (md2__compute_face_normals). */
    float    position[3];             /* smoothed, in model units */
    float    normal[3];               /* sum of the normals of the faces; any length */
    float    angle;                   /* length that `normal` would have if the faces were in a
                                         plane; 1 = 90 degrees */
} md2__smooth_point;

/* A frame in the path of a point: see md2__path. Pass 2 handles one point at a time, and one axis
   at a time. */
typedef struct md2__path_step {
    /* For all points: the frames before and after this frame in its animation
       (md2__link_frames). */
    uint32_t before, after;

    /* For one point: computed from the positions of pass 1 (md2__weigh_accelerations). */
    float    acceleration;            /* square of the acceleration, in squared steps */
    float    weight;                  /* weight of the acceleration in this frame */

    /* For one axis: the frames that share a position (md2__share_positions), and the position of
       pass 1 (md2__relax_path). */
    uint32_t first, next;             /* first of these frames; next of them, in a ring */
    float    target;                  /* position of pass 1, in model units */
} md2__path_step;

typedef struct md2__smoother {
    md2__context       context;
    const md2_model   *source;        /* the model to smooth */

    /* The result, a copy of the source (md2__copy_model). The fine points start in the middle of
       their bytes (md2__copy_points). Pass 1 writes their positions (md2__subtract_noise), pass 2
       overwrites them (md2__write_paths), and pass 3 writes their normals
       (md2__write_frame_normals). */
    md2_model         *model;
    md2_frame         *frames;        /* [frame] bounds are set last: md2__bound_smooth_model */
    md2_point         *stored;        /* [frame][point] bytes of the file, never changed */
    md2_fine          *fine;          /* [frame][point] */

    /* Equal points and frames: each entry is the first that is equal (md2__group_points,
       md2__group_frames). */
    uint32_t          *first_at_position; /* [point] first with the same position in all frames */
    uint32_t          *first_duplicate; /* [point] first with the same normal as well */
    uint32_t          *first_equal_frame; /* [frame] first with the same box and points */
    uint32_t           different_frame_count; /* number of different frames */

    /* Pass 1 handles one patch at a time: its members (md2__grow_patch), and the filter that finds
       their noise (md2__build_noise_filter). */
    uint32_t           members[MD2__PATCH_SIZE]; /* points; those without a triangle may have
                                                    indices above 65,535 */
    uint32_t           member_count;  /* at most patch_size */
    uint32_t           patch_size;    /* for this model: md2__lay_out_smoother */
    double            *matrix;        /* [member_count][member_count] noise in steps per byte */

    /* Passes 1 and 2: first the noise that all patches of a point have found, added up, in steps
       (md2__add_patch_noise). Then the positions of pass 1, in model units, replace the noise
       (md2__subtract_noise), and pass 2 changes the positions (md2__relax_path). */
    float            (*paths)[3];     /* [point][frame] */
    md2__path_step    *steps;         /* [frame] for the current point in pass 2 */

    /* For passes 1 and 3. */
    md2__smooth_point *points;        /* [point] */

    /* Temporary arrays of the functions that run before the passes. */
    uint32_t          *words;         /* [point or frame] compared by md2__split_groups */
    md2__key_table     groups;        /* groups that md2__split_groups has found */
} md2__smoother;

/* -- Smoothing: what is equal ---------------------------------------------- */

/* Splits groups of points or frames by their words: two members stay in the same group if their
   words are equal. groups[i] is the number of the group of i. Groups are numbered from 0, in the
   order of their first members. Returns the number of groups. */
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

/* Replaces the number of each group with the first member of the group. */
static void md2__find_first_members(md2__smoother *smoother, uint32_t *groups, uint32_t count)
{
    uint32_t *firsts = smoother->words; /* no longer used for words */
    uint32_t  group_count = 0;

    for (uint32_t i = 0; i < count; ++i) {
        if (groups[i] == group_count) {
            firsts[group_count] = i;
            ++group_count;
        }
        groups[i] = firsts[groups[i]];
    }
}

/* Returns a stored point as one word: x in the lowest byte, then y, z and the normal. */
static uint32_t md2__read_point(const md2_point *point)
{
    return md2__read_u32((const uint8_t *)point);
}

static const uint32_t md2__position_bits = 0xffffff; /* all but the normal */

/* Finds, for each point, the first point with the same position in every frame and, if
   `with_normals` is true, with the same normal. */
static void md2__group_points(md2__smoother *smoother, bool with_normals, uint32_t *firsts)
{
    const md2_model *model = smoother->model;
    uint32_t         mask = with_normals ? UINT32_MAX : md2__position_bits;
    uint32_t         count = model->point_count, group_count = 1;

    for (uint32_t frame = 0; frame < model->frame_count && group_count < count; ++frame) {
        for (uint32_t i = 0; i < count; ++i) {
            smoother->words[i] = md2__read_point(&model->frames[frame].points[i]) & mask;
        }
        group_count = md2__split_groups(smoother, firsts, count);
    }
    md2__find_first_members(smoother, firsts, count);
}

/* Finds, for each frame, the first frame with the same box and the same positions of all points.
   Normals may differ. */
static void md2__group_frames(md2__smoother *smoother)
{
    const md2_frame *frames = smoother->frames;
    uint32_t         count = smoother->model->frame_count, group_count = 1;

    for (uint32_t axis = 0; axis < 3; ++axis) {
        for (uint32_t i = 0; i < count; ++i) {
            memcpy(&smoother->words[i], &frames[i].scale[axis], sizeof(float));
        }
        md2__split_groups(smoother, smoother->first_equal_frame, count);

        for (uint32_t i = 0; i < count; ++i) {
            memcpy(&smoother->words[i], &frames[i].translate[axis], sizeof(float));
        }
        group_count = md2__split_groups(smoother, smoother->first_equal_frame, count);
    }

    uint32_t point_count = smoother->model->point_count;
    for (uint32_t point = 0; point < point_count && group_count < count; ++point) {
        for (uint32_t i = 0; i < count; ++i) {
            smoother->words[i] = md2__read_point(&frames[i].points[point]) & md2__position_bits;
        }
        group_count = md2__split_groups(smoother, smoother->first_equal_frame, count);
    }
    smoother->different_frame_count = group_count;
    md2__find_first_members(smoother, smoother->first_equal_frame, count);
}

/* -- Smoothing: in space --------------------------------------------------- */

/* Writes the points of a triangle clockwise as seen from outside, whatever the winding of the
   model, so that both windings give the same result, bit for bit. */
static void md2__read_triangle(const md2_model *model, const uint32_t *indices, uint32_t points[3])
{
    bool clockwise = md2__are_triangles_clockwise(model);

    points[0] = model->vertices[indices[0]].point;
    points[1] = model->vertices[indices[clockwise ? 1 : 2]].point;
    points[2] = model->vertices[indices[clockwise ? 2 : 1]].point;
}

/* Adds a neighbor to a point, unless the neighbor is listed already, is the point itself, or twelve
   are listed. */
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

/* Lists the neighbors of each point: the other points of its triangles. Points with the same
   position share one list. */
static void md2__list_neighbors(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t i = 0; i < model->index_count; i += 3) {
        uint32_t corners[3];
        md2__read_triangle(model, &model->indices[i], corners);
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t point = smoother->first_at_position[corners[k]];
            md2__add_neighbor(smoother, point, smoother->first_at_position[corners[(k + 1) % 3]]);
            md2__add_neighbor(smoother, point, smoother->first_at_position[corners[(k + 2) % 3]]);
        }
    }
}

/* Adds a point to the current patch, unless another point represents it, it is a member already, it
   is in the maximum number of patches, or the patch is full. */
static void md2__add_patch_member(md2__smoother *smoother, uint32_t patch, uint32_t index)
{
    md2__smooth_point *point = &smoother->points[index];
    bool               is_represented = smoother->first_at_position[index] != index;
    bool               is_member = point->last_patch == patch;
    bool               is_in_enough = point->patch_count >= MD2__MAX_PATCHES;
    bool               is_full = smoother->member_count >= smoother->patch_size;

    if (is_represented || is_member || is_in_enough || is_full) {
        return;
    }
    point->last_patch = patch;
    ++point->patch_count;
    smoother->members[smoother->member_count++] = index;
}

/* Collects the members of the patch around a point. */
static void md2__grow_patch(md2__smoother *smoother, uint32_t seed)
{
    uint32_t patch = seed + 1; /* a point is the seed of at most one patch, and 0 means none */

    smoother->member_count = 0;
    md2__add_patch_member(smoother, patch, seed);

    /* Search breadth-first, in rings around the seed. The list of members is also the queue of
       points whose neighbors are not yet added, so it grows during the loop. */
    for (uint32_t i = 0; i < smoother->member_count; ++i) {
        const md2__smooth_point *point = &smoother->points[smoother->members[i]];
        for (uint32_t k = 0; k < point->neighbor_count; ++k) {
            md2__add_patch_member(smoother, patch, point->neighbors[k]);
        }
    }

    /* The patch still has room if the seed's part of the mesh is small, like an eye. The next 191
       points of the file are mostly close to the seed. The last point is followed by the first. */
    for (uint32_t i = 1; i < 4 * MD2__PATCH_SIZE; ++i) {
        md2__add_patch_member(smoother, patch, (seed + i) % smoother->model->point_count);
    }
}

/* Adds a frame to the matrix: for each pair of members, the product of their bytes, summed over the
   three axes. The sums over all frames, at most 65,536, are whole numbers below 2^34, so they are
   exact. */
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

/* Inverts a matrix in place by Gauss-Jordan elimination, without a search for large pivots. This is
   safe because the matrix is symmetric and has no eigenvalue below 1. A pivot is on the diagonal of
   a Schur complement, so no pivot is below 1 either. */
static void md2__invert_matrix(double *matrix, uint32_t count)
{
    for (uint32_t pivot = 0; pivot < count; ++pivot) {
        double *row = matrix + pivot * count;
        double  inverse = 1 / row[pivot];

        /* Elimination turns the pivot's column into a column of the identity matrix, which need not
           be stored, so a column of the inverse is stored there instead. That column begins as a
           column of the identity matrix: 1 in this row, 0 in all others. */
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

/* Computes the filter of the current patch: the product of this matrix and the bytes of the
   members, on one axis in one frame, is an estimate of the members' noise, in steps.

   It is a Wiener filter. Let v be these bytes, a vector of p = member_count numbers that contain
   signal and noise. If the signal has the covariance C, and the noise has n I, the best linear
   estimate of the noise in v is n (C + n I)^-1 v. In a direction in which C has the eigenvalue e,
   the fraction n / (n + e) counts as noise: almost nothing where there is signal, and almost
   everything elsewhere. */
static void md2__build_noise_filter(md2__smoother *smoother)
{
    uint32_t frames = smoother->model->frame_count, count = smoother->member_count;

    /* C is the sum of v v^T over all samples, in squared steps. It is not divided by the number of
       samples, and the means of the members are not subtracted.

       The samples are all frames and all three axes, because the signal of a rigid part has the
       same 4 dimensions in each of them: it is a * x + b * y + c * z + d * 1, where the vectors x,
       y and z are the members' coordinates at rest, and the vector 1 is all ones. Only the numbers
       a, b, c and d differ: they depend on the rotation and translation of the part, and on the
       scale and translation of the frame's box. A patch on two parts has at most 8 dimensions. So
       the signal gives C only a few large eigenvalues. */
    memset(smoother->matrix, 0, sizeof(double) * count * count);
    for (uint32_t i = 0; i < frames; ++i) {
        md2__add_byte_products(smoother, smoother->model->frames[i].points);
    }

    /* C also contains the noise, which must not count as signal, so n must be well above the part
       of the eigenvalues that is noise. F frames are 3 F samples, and the variance of the noise is
       1/12, so this part is 3 F / 12 = F / 4 on average. It varies more if there are fewer samples:
       by the Marchenko-Pastur law, its largest value is near (sqrt(3 F) + sqrt(p))^2 / 12. Since n
       is three times this value, the fraction that counts as noise is at least about 3/4 in all
       directions without signal. A larger n would remove more of small motions. */
    float  root = md2__sqrt(3.0f * (float)frames * (float)count);
    double power = (3.0 * frames + count + 2.0 * (double)root) / 4;

    /* The filter is the inverse of C / n + I, which has no unit. Add a huge multiple of the matrix
       of all ones, 1 1^T, which acts like a huge signal in the direction 1, in which all members
       move equally. So almost no common motion of the members counts as noise: in a patch of a real
       model, the mean of the noise is below 0.00002 steps. The huge multiple also makes the origin
       of a box irrelevant, because the origin adds the same number to all members. */
    const double common = 1e6;
    for (uint32_t i = 0; i < count * count; ++i) {
        smoother->matrix[i] = smoother->matrix[i] / power + common;
    }
    for (uint32_t i = 0; i < count; ++i) {
        smoother->matrix[i * count + i] += 1; /* so that no eigenvalue is below 1 */
    }
    md2__invert_matrix(smoother->matrix, count);
}

/* Applies the filter to a patch in one frame, and adds the noise that it finds to the paths. */
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

/* Returns the coordinate of a number in md2_fine.position. The number is 256 * (byte + fraction) +
   128, with a fraction from -127/256 to 127/256. So the low byte is 128 for a fraction of 0, and 1
   to 255 for all fractions, and the high byte is always the byte of the file. */
static float md2__decode_fine(const md2_frame *frame, size_t axis, uint32_t number)
{
    return frame->translate[axis] + ((float)number - 128) * (frame->scale[axis] / 256);
}

/* Returns the number for a byte and a fraction of a step. The fraction is rounded to 1/256, and
   limited to below 1/2, so that the result still rounds to the byte. */
static uint16_t md2__encode_fine(uint32_t byte, float fraction)
{
    float low_byte = fraction * 256 + 128.5f; /* the cast below truncates, so this rounds */
    low_byte = low_byte > 1 ? low_byte : 1.0f;
    low_byte = low_byte < 255 ? low_byte : 255.0f;
    return (uint16_t)(byte * 256 + (uint32_t)low_byte);
}

/* Replaces the noise in the path of a point with positions: the positions of the file minus the
   noise, which is averaged over the patches of the point. There is at least one patch, because a
   point in no patch starts one. */
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

/* Pass 1: finds the noise of all patches, and then the positions without noise. */
static void md2__smooth_in_space(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    md2__list_neighbors(smoother);
    for (uint32_t i = 0; i < model->point_count; ++i) {
        bool is_done = smoother->points[i].patch_count >= MD2__MIN_PATCHES;
        if (smoother->first_at_position[i] != i || is_done) {
            continue;
        }
        md2__grow_patch(smoother, i);
        md2__build_noise_filter(smoother);
        for (uint32_t frame = 0; frame < model->frame_count; ++frame) {
            md2__add_patch_noise(smoother, frame);
        }
    }

    for (uint32_t i = 0; i < model->point_count; ++i) {
        if (smoother->first_at_position[i] == i) {
            md2__subtract_noise(smoother, i);
        }
    }
}

/* -- Smoothing: in time ---------------------------------------------------- */

/* The path of one point through the frames of all animations. On each axis, pass 2 searches for the
   positions z[i] in the frames i that minimize

       E(z) = sum of (z[i] - x[i])^2 + sum of w[i] * a[i]^2,    a[i] = z[before] - 2 z[i] + z[after]

   where x are the positions of pass 1, a are the accelerations, and w are their weights: a larger
   weight reduces an acceleration more. The last frame of an animation is followed by its first.
   Frames that share a position have the same z. */
typedef struct md2__path {
    const md2_model *model;
    const uint32_t  *first_equal_frame; /* from the smoother */
    md2__path_step  *steps;           /* [frame] x, w, and the frames before and after */
    float          (*positions)[3];   /* [frame] z; starts as x */
    uint32_t         point;
} md2__path;

/* Links the frames of each animation into a ring. */
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

/* Returns the acceleration a[i] on an axis. */
static float md2__get_acceleration(const md2__path *path, size_t axis, uint32_t i)
{
    float (*z)[3] = path->positions;
    return z[path->steps[i].before][axis] - 2 * z[i][axis] + z[path->steps[i].after][axis];
}

/* Returns the squared acceleration in frame i, in squared steps of that frame. */
static float md2__measure_acceleration(const md2__path *path, uint32_t i)
{
    float squared = 0;

    for (uint32_t axis = 0; axis < 3; ++axis) {
        float scale = path->model->frames[i].scale[axis];
        if (scale != 0) { /* otherwise all points have the same coordinate */
            float change = md2__get_acceleration(path, axis, i) / scale;
            squared += change * change;
        }
    }
    return squared;
}

/* Sets w[i] = 8 / (1 + 4 a^4), where a is the largest acceleration, in steps, in frame i and the
   frames before and after it. For example, w is 8 at rest, 4 for 0.7 steps, 1.6 for 1 step, and 0.1
   for 2 steps.

   Rounding alone causes accelerations of 0.7 steps on each axis: its variance of 1/12 counts once
   for each of the two other frames, and four times for 2 z[i], which is 1/2 in total. So
   accelerations of this size mean little. Larger accelerations are motion, and are not reduced.
   Neither are the accelerations in the frames before and after them, because reducing these would
   spread a sudden motion over several frames. The same applies if the last frame of an animation is
   far from its first.

   If all weights were 8, a wave of frequency f (in radians per frame) would keep 1 / (1 + 8 (2 - 2
   cos f)^2) of its amplitude: half if its period is 10 frames, and 0.93 if it is 20 frames. With
   weights of 16, a period of 10 frames would keep a third, and the knight would be off by 0.133
   steps instead of 0.130. */
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

/* Returns the first of the frames that share a position with frame i (the find of union-find). */
static uint32_t md2__find_first_sharing(md2__path_step *steps, uint32_t i)
{
    while (steps[i].first != i) {
        steps[i].first = steps[steps[i].first].first; /* path halving: the next search is shorter */
        i = steps[i].first;
    }
    return i;
}

/* Merges the frames that share a position with frame a and the frames that share a position with
   frame b (the union of union-find). */
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

/* Finds the frames that share a position on an axis: equal frames, and the frames of an animation
   in which the coordinate is constant. If a frame of such an animation is equal to a frame of
   another animation, both groups become one. The frames of a group are linked into a ring. */
static void md2__share_positions(const md2__path *path, size_t axis)
{
    const md2_model *model = path->model;
    md2__path_step  *steps = path->steps;

    for (uint32_t i = 0; i < model->frame_count; ++i) {
        steps[i].first = path->first_equal_frame[i];
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
        if (i != first) { /* insert i between the first frame and the next */
            steps[i].next = steps[first].next;
            steps[first].next = i;
        }
    }
}

/* Moves a shared position to the minimum of E while all other positions stay. `first` is the first
   of the frames that share it.

   z[i] is part of three accelerations: once in a[before] and in a[after], and -2 times in a[i]. So
   half of the derivative of E with respect to z[i] (the slope), and the derivative of the slope
   (the curvature), are

       z[i] - x[i] + w[before] * a[before] - 2 w[i] * a[i] + w[after] * a[after],
       1 + w[before] + 4 w[i] + w[after].

   The slopes and curvatures of all frames that share the position are added up. The minimum of E,
   where the slope is 0, is slope / curvature away.

   If some of these frames are neighbors, the true curvature is different, because an acceleration
   then contains the position more than once: it contributes the square of a sum, and not a sum of
   squares. But the true curvature is less than twice as large: at most (1 + 1)^2 instead of 1^2 +
   1^2, and the 1 in the formula is right. A step of less than twice the right length still makes E
   smaller. */
static void md2__relax_position(const md2__path *path, size_t axis, uint32_t first)
{
    const md2__path_step *steps = path->steps;
    float               (*z)[3] = path->positions;
    float                 slope = 0, curvature = 0;

    uint32_t i = first;
    do {
        uint32_t before = steps[i].before, after = steps[i].after;
        slope += z[i][axis] - steps[i].target;
        slope += steps[before].weight * md2__get_acceleration(path, axis, before);
        slope -= 2 * steps[i].weight * md2__get_acceleration(path, axis, i);
        slope += steps[after].weight * md2__get_acceleration(path, axis, after);
        curvature += 1 + steps[before].weight + 4 * steps[i].weight + steps[after].weight;
        i = steps[i].next;
    } while (i != first);

    float position = z[first][axis] - slope / curvature;
    do {
        z[i][axis] = position;
        i = steps[i].next;
    } while (i != first);
}

/* Minimizes E with the Gauss-Seidel method: sweeps over the path, and relaxes one position at a
   time, which never makes E larger. E is quadratic and has a single minimum, so the sweeps approach
   it: after 16 sweeps, real models are 0.005 steps away from it (RMS), and 0.2 at most. */
static void md2__relax_path(const md2__path *path, size_t axis)
{
    uint32_t        count = path->model->frame_count;
    md2__path_step *steps = path->steps;

    for (uint32_t i = 0; i < count; ++i) {
        steps[i].target = path->positions[i][axis];
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

/* Smooths the path of a point. The weights depend on the positions of pass 1 on all three axes, so
   they are computed before the first sweep. */
static void md2__smooth_path(const md2__path *path)
{
    md2__weigh_accelerations(path);
    for (uint32_t axis = 0; axis < 3; ++axis) {
        md2__share_positions(path, axis);
        md2__relax_path(path, axis);
    }
}

/* Returns the number of a coordinate, limited to numbers that round to `byte`. */
static uint16_t md2__encode_coordinate(const md2_frame *frame, size_t axis, uint32_t byte,
                                       float coordinate)
{
    /* In a flat box, all numbers have the same coordinate. Return the lowest number of the byte. */
    if (frame->scale[axis] == 0) {
        return md2__encode_fine(byte, -1);
    }

    float steps = (coordinate - frame->translate[axis]) / frame->scale[axis];
    return md2__encode_fine(byte, steps - (float)byte);
}

/* Writes the positions of the paths to the fine points. Points with the same position in every
   frame take the path of the first of them. */
static void md2__write_paths(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t frame = 0; frame < model->frame_count; ++frame) {
        md2_fine *fine = smoother->fine + (size_t)frame * model->point_count;
        for (uint32_t i = 0; i < model->point_count; ++i) {
            size_t         path = (size_t)smoother->first_at_position[i] * model->frame_count;
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
        if (smoother->first_at_position[point] != point) {
            continue;
        }

        md2__path path;
        path.model = model;
        path.first_equal_frame = smoother->first_equal_frame;
        path.steps = smoother->steps;
        path.positions = smoother->paths + (size_t)point * model->frame_count;
        path.point = point;
        md2__smooth_path(&path);
    }
    md2__write_paths(smoother);
}

/* -- Smoothing: normals ---------------------------------------------------- */

/* Returns the angle between two vectors in units of 90 degrees, 0 to 2, from its sine and cosine,
   both multiplied by the same positive number. The quotient is exact at 0, 45 and 90 degrees, and
   off by up to 4.1 degrees between them. The cubic term, which is 0 at these three, reduces the
   error to less than half a degree. */
static float md2__estimate_angle(float sine, float cosine)
{
    float angle = sine / (sine + md2__absolute(cosine)); /* the acute angle */
    angle += 0.9f * (angle - 0.5f) * angle * (1 - angle);
    return cosine < 0 ? 2 - angle : angle;
}

/* Finds one edge of each point: the first that leads to a different position. */
static void md2__find_edges(md2__smoother *smoother)
{
    const md2_model *model = smoother->model;

    for (uint32_t i = 0; i < model->index_count; i += 3) {
        uint32_t corners[3];
        md2__read_triangle(model, &model->indices[i], corners);
        for (uint32_t k = 0; k < 3; ++k) {
            md2__smooth_point *point = &smoother->points[smoother->first_duplicate[corners[k]]];
            uint32_t           end = smoother->first_at_position[corners[(k + 1) % 3]];

            if (!point->has_edge && end != smoother->first_at_position[corners[k]]) {
                point->has_edge = true;
                point->edge_end = (uint16_t)end;
            }
        }
    }
}

/* Adds the normal of a triangle to its three points, weighted by the angle at each point, so that
   the division of a flat face into triangles does not matter. Points with the same positions and
   normals count as one point, so that a seam of the texture does not show in the lighting. */
static void md2__add_triangle_normal(md2__smoother *smoother, const uint32_t *indices)
{
    uint32_t           points[3];
    md2__smooth_point *corners[3];
    float              edges[3][3]; /* from each corner to the next corner */
    float              normal[3];

    md2__read_triangle(smoother->model, indices, points);
    for (uint32_t i = 0; i < 3; ++i) {
        corners[i] = &smoother->points[smoother->first_duplicate[points[i]]];
    }
    for (uint32_t i = 0; i < 3; ++i) {
        uint32_t next = (i + 1) % 3;
        for (uint32_t axis = 0; axis < 3; ++axis) {
            edges[i][axis] = corners[next]->position[axis] - corners[i]->position[axis];
        }
    }

    md2__vec3_cross(edges[1], edges[0], normal); /* outward: the corners are clockwise */
    float twice_area = md2__vec3_normalize(normal);
    if (!(twice_area > 0)) {
        return;
    }

    /* The sine of the angle at a corner, times the lengths of its two edges, is twice the area. The
       cosine, times the same lengths, is the dot product of the edges, both directed away from the
       corner. The previous edge is directed to the corner, which explains the minus. */
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

/* Computes, for each point, the smoothed position in a frame, and the sum of the normals of its
   faces in this frame. The sum is 0 if the point has no faces, or if the mesh has too many
   triangles to visit all of them in each frame. */
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

/* Computes orthonormal axes that rotate with the faces around a point: along the normal of the
   faces, along the surface toward the end of an edge, and perpendicular to both. (Each point with a
   face has an edge.) Returns false if there are no axes, because the point has no faces, its faces
   cancel each other, or the edge has no length. In these cases, md2__vec3_normalize sets a vector
   to 0. Then all cross products with this vector are also 0, including the last. */
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

    /* The edge may not be perpendicular to the normal. Their cross product, axes[2], is
       perpendicular to both. The cross product of axes[2] and the normal is also perpendicular to
       the normal: it has the direction of the part of the edge that is along the surface. */
    md2__vec3_cross(axes[0], edge, axes[2]);
    md2__vec3_normalize(axes[2]);
    md2__vec3_cross(axes[2], axes[0], axes[1]);
    return md2__vec3_normalize(axes[1]) > 0;
}

/* Returns true if the faces around a point cancel each other in the current frame: if the sum of
   their normals is shorter than a quarter of the length that it has for faces in a plane. Then the
   direction of the sum is mostly noise. This happens if each face of a two-sided part has another
   face as its back, and at edges and round spikes of less than 29 degrees. */
static bool md2__do_faces_cancel(const md2__smooth_point *point)
{
    return 16 * md2__vec3_dot(point->normal, point->normal) < point->angle * point->angle;
}

/* Adds the stored normals of a frame to the sums of the points, in the axes of the faces in that
   frame. Apart from rounding, a normal that rotates with the surface is constant in these axes. */
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

/* Returns the mean of the stored normals of a point, in the axes of the faces, shrunk toward the
   normal of the faces, which is (1, 0, 0) in these axes.

   Let d be the difference between the mean and the normal of the faces. A part of d is the
   intention of the author, and a part is chance, because the stored normals are rounded to 162
   directions: each has a mean squared error of 0.013. While a normal stays the same, so does its
   error. So the mean has about as many independent errors as the normal has changes, plus one, and
   chance alone makes d^2 about 0.013 / (changes + 1).

   Similar to the James-Stein estimator, d is multiplied by a factor that is near 1 if d^2 is well
   above this value, and near 0 if it is not. Their factor is 1 - c / d^2. The factor used here, d^2
   / (d^2 + c), is nearly the same for large d and never negative. With c = 0.1 / (changes + 2),
   only differences well above chance count: half of d remains if d^2 is c, which is four to eight
   times the value of chance. Twice this c would suit a model without intended differences (the
   knight's normals would be off by 1.76 degrees instead of 1.89), but would remove the intended
   differences in other models.

   Returns false if the stored normals cancel each other. */
static bool md2__shrink_mean_normal(const md2__smooth_point *point, float mean[3])
{
    float c = 0.1f / ((float)point->normal_changes + 2);

    memcpy(mean, point->stored_sum, sizeof point->stored_sum);
    if (!(md2__vec3_normalize(mean) > 0)) {
        return false;
    }
    mean[0] -= 1; /* now mean is d */

    float squared = md2__vec3_dot(mean, mean);
    float factor = squared / (squared + c);
    mean[0] = mean[0] * factor + 1;
    mean[1] *= factor;
    mean[2] *= factor;
    return true;
}

/* Returns the octahedral map of a normal: 128 + x in the low byte, 128 + y in the high byte, with x
   and y from -127 to 127. So the result is above 255, and shaders do not confuse it with an index
   of the table of normals. */
static uint16_t md2__encode_normal(const float n[3])
{
    /* Divided by |x| + |y| + |z|, the normal is on an octahedron. Its upper half, seen from above,
       is a square on its corner. The lower half is folded outward over the edges of this square,
       into the four corners of the enclosing square: |z| is added to both |x| and |y|. */
    float fold = n[2] < 0 ? -n[2] : 0;
    float x = n[0] < 0 ? n[0] - fold : n[0] + fold;
    float y = n[1] < 0 ? n[1] - fold : n[1] + fold;
    float size = md2__absolute(n[0]) + md2__absolute(n[1]) + md2__absolute(n[2]);

    uint32_t low = (uint32_t)(x / size * 127 + 128.5f); /* rounds: -127 to 127, plus 128 */
    uint32_t high = (uint32_t)(y / size * 127 + 128.5f);
    return (uint16_t)(low + 256 * high);
}

/* Rotates a normal toward the stored normal until the angle between them is at most 28.4 degrees,
   an angle with cosine 0.88 and sine 0.475. Rounding to the table's directions changes a normal by
   at most 10.8 degrees. If the angle is above 28.4 degrees, either the faces have flipped, or the
   stored normals differ so much that their mean is useless. So from frame to frame, a normal
   rotates by at most 57 degrees more than the stored normal. Both normals have length 1. */
static void md2__limit_rotation(const float stored[3], float normal[3])
{
    float cosine = md2__vec3_dot(stored, normal);
    if (cosine >= 0.88f) {
        return;
    }

    float sideways[3]; /* part of the normal that is perpendicular to `stored` */
    for (uint32_t i = 0; i < 3; ++i) {
        sideways[i] = normal[i] - cosine * stored[i];
    }
    bool has_direction = md2__vec3_normalize(sideways) > 0; /* false if the two are opposite */
    for (uint32_t i = 0; i < 3; ++i) {
        normal[i] = has_direction ? 0.88f * stored[i] + 0.475f * sideways[i] : stored[i];
    }
}

/* Computes the normal of a point in the current frame: its mean normal, rotated with the faces.
   Uses the stored normal if the faces cancel each other in any frame, or if the result has no
   direction. */
static void md2__compute_smooth_normal(const md2__smoother *smoother,
                                       const md2__smooth_point *point, const float stored[3],
                                       float normal[3])
{
    float axes[3][3], mean[3], rotated[3];

    memcpy(normal, stored, sizeof rotated);
    if (point->has_canceling_faces || !md2__compute_face_axes(smoother, point, axes)) {
        return;
    }

    if (!md2__shrink_mean_normal(point, mean)) {
        return;
    }

    /* Convert from the axes of the faces to the axes of the model. */
    for (uint32_t k = 0; k < 3; ++k) {
        rotated[k] = mean[0] * axes[0][k] + mean[1] * axes[1][k] + mean[2] * axes[2][k];
    }
    if (md2__vec3_normalize(rotated) > 0) {
        md2__limit_rotation(stored, rotated);
        memcpy(normal, rotated, sizeof rotated);
    }
}

/* Writes the normals of a frame. Points with the same position and normal in every frame have the
   normal of the first of them. */
static void md2__write_frame_normals(md2__smoother *smoother, uint32_t frame)
{
    const md2_model *model = smoother->model;
    const md2_point *stored = model->frames[frame].points;
    md2_fine        *fine = smoother->fine + (size_t)frame * model->point_count;

    md2__compute_face_normals(smoother, frame);
    for (uint32_t i = 0; i < model->point_count; ++i) {
        const md2__smooth_point *first = &smoother->points[smoother->first_duplicate[i]];
        float                    normal[3];

        md2__compute_smooth_normal(smoother, first, md2_normal(stored[i].normal), normal);
        fine[i].normal = md2__encode_normal(normal);
    }
}

/* Pass 3: computes the means of the stored normals over all frames, and then the normals of each
   frame. */
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

/* Lays out the temporary memory of smoothing, and returns its size. With block NULL, only measures.
   Without the paths, the size is at most 292 bytes per point (including up to 22 doubles for the
   matrix) plus 60 bytes per frame, and a few bytes for alignment. */
static uint64_t md2__lay_out_smoother(md2__smoother *smoother, uint8_t *block)
{
    uint64_t total = 0, size = 1; /* MD2__PLACE adds to the total */
    uint64_t points = smoother->source->point_count;
    uint64_t frames = smoother->source->frame_count;

    /* A patch has at most 48 members, and at most as many as there are points. Its matrix, the
       square of that number, has at most 22 numbers per point. With 105 points or more, the limit
       is 48. */
    while (size < MD2__PATCH_SIZE && size < points && (size + 1) * (size + 1) <= 22 * points) {
        ++size;
    }
    smoother->patch_size = (uint32_t)size;

    smoother->first_at_position = MD2__PLACE(uint32_t, points);
    smoother->first_duplicate = MD2__PLACE(uint32_t, points);
    smoother->first_equal_frame = MD2__PLACE(uint32_t, frames);

    /* Points and frames are grouped one after the other, in the same memory. */
    uint64_t grouped = points > frames ? points : frames;
    smoother->words = MD2__PLACE(uint32_t, grouped);
    smoother->groups.slots = MD2__PLACE(uint32_t, grouped);
    smoother->groups.nodes = MD2__PLACE(md2__key_node, grouped);

    smoother->points = MD2__PLACE(md2__smooth_point, points);
    smoother->steps = MD2__PLACE(md2__path_step, frames);
    smoother->matrix = MD2__PLACE(double, size * size);

    /* One extra float, because md2__add_patch_noise loads the last three floats as a vector of
       four. */
    smoother->paths = (float (*)[3])(void *)MD2__PLACE(float, 3 * points * frames + 1);
    return total;
}

/* Allocates the result: a copy of the model in its own block, followed by the fine points, which
   are not written yet. */
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

    /* The block of a model begins with the model itself. */
    copy.bytes = (size_t)total;
    copy.allocator = smoother->context.allocator;
    copy.private_data.self = block;
    smoother->model = (md2_model *)memcpy(block, &copy, sizeof copy);
    return true;
}

/* Scales down a copy that is near FLT_MAX, so that no float overflows: fine points reach half a
   step beyond the bytes of the file, and their grid begins half a step before byte 0. 255 steps are
   below FLT_MAX, so a step is smaller than the reduction, which is 2/128 of FLT_MAX. */
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

/* Copies the points of the file to the fine points, each in the middle of its byte. */
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

/* Computes the bounds of each frame and of the result again. */
static void md2__bound_smooth_model(md2__smoother *smoother)
{
    for (uint32_t i = 0; i < smoother->model->frame_count; ++i) {
        md2_frame *frame = &smoother->frames[i];
        md2_pose   pose = md2_pose_between(i, i, 0); /* only this frame */
        md2_pose_bounds(smoother->model, &pose, frame->min, frame->max);
    }
    md2__compute_model_bounds(smoother->model);
}

/* Smooths the copy of the model. */
static void md2__smooth_copy(md2__smoother *smoother)
{
    md2__keep_copy_finite(smoother);
    md2__copy_points(smoother);

    md2__group_frames(smoother);
    if (smoother->different_frame_count > 1) {
        md2__group_points(smoother, false, smoother->first_at_position);
        md2__group_points(smoother, true, smoother->first_duplicate);
        md2__smooth_in_space(smoother);
        md2__smooth_in_time(smoother);
        md2__smooth_normals(smoother);
    }
    md2__bound_smooth_model(smoother);
}

/* Creates smoother->model. On failure, it stays NULL, and the context has the error. */
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
