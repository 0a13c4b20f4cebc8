// Notes what a process writes to a file, and when it is told that it is on disk: for simulating a power loss.
//
// Preloaded. POWER_FILE names the file to watch, POWER_MARKS a file whose writes are noted as marks, POWER_LOG where
// the notes go. A note is a kind byte (w write, s synced write, f flush, t truncate, m mark), offset and length
// as 8 bytes each, little-endian, then the bytes.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;
static int log_fd = -1;

static ssize_t (*real_write)(int, const void *, size_t);

static void start(void) {
    if (log_fd < 0) {
        real_write = dlsym(RTLD_NEXT, "write");
        log_fd = open(getenv("POWER_LOG"), O_WRONLY | O_CREAT | O_APPEND, 0600);
    }
}

// 1: the watched file, 2: the marks, 0: none of our business.
static int kind_of(int fd) {
    char link[64], path[4096];
    const char *watched = getenv("POWER_FILE"), *marks = getenv("POWER_MARKS");
    char *digits = link + sizeof link - 1;
    *digits = 0;
    int rest = fd;
    do *--digits = '0' + rest % 10;
    while ((rest /= 10) > 0);
    digits -= 14;
    memcpy(digits, "/proc/self/fd/", 14);
    ssize_t length = readlink(digits, path, sizeof path - 1);
    if (length < 0 || !watched || !marks) return 0;
    path[length] = 0;
    return !strcmp(path, watched) ? 1 : !strcmp(path, marks) ? 2 : 0;
}

static void note(char kind, uint64_t offset, const struct iovec *parts, int count) {
    uint64_t head[2] = {offset, 0};
    for (int part = 0; part < count; part++) head[1] += parts[part].iov_len;
    pthread_mutex_lock(&turn);
    start();
    real_write(log_fd, &kind, 1);
    real_write(log_fd, head, sizeof head);
    for (int part = 0; part < count; part++) real_write(log_fd, parts[part].iov_base, parts[part].iov_len);
    pthread_mutex_unlock(&turn);
}

static char write_kind(int fd) { return fcntl(fd, F_GETFL) & O_DSYNC ? 's' : 'w'; }

#define REAL(name, ...)                                  \
    static ssize_t (*real)(__VA_ARGS__);                 \
    if (!real) real = dlsym(RTLD_NEXT, name);

static void note_write(int fd, const struct iovec *parts, int count, off_t offset, ssize_t done) {
    if (done > 0 && kind_of(fd) == 1) note(write_kind(fd), offset, parts, count);
}

ssize_t pwrite(int fd, const void *data, size_t size, off_t offset) {
    REAL("pwrite", int, const void *, size_t, off_t)
    ssize_t done = real(fd, data, size, offset);
    struct iovec part = {(void *)data, done > 0 ? done : 0};
    note_write(fd, &part, 1, offset, done);
    return done;
}

ssize_t pwrite64(int fd, const void *data, size_t size, off_t offset) { return pwrite(fd, data, size, offset); }

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
    REAL("pwritev", int, const struct iovec *, int, off_t)
    ssize_t done = real(fd, parts, count, offset);
    note_write(fd, parts, count, offset, done);
    return done;
}

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t offset) {
    return pwritev(fd, parts, count, offset);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
    REAL("writev", int, const struct iovec *, int)
    ssize_t done = real(fd, parts, count);
    if (done > 0) note_write(fd, parts, count, lseek(fd, 0, SEEK_CUR) - done, done);
    return done;
}

ssize_t write(int fd, const void *data, size_t size) {
    pthread_mutex_lock(&turn);
    start();
    pthread_mutex_unlock(&turn);
    ssize_t done = real_write(fd, data, size);
    int kind = done > 0 ? kind_of(fd) : 0;
    struct iovec part = {(void *)data, done > 0 ? done : 0};
    if (kind == 1) note(write_kind(fd), lseek(fd, 0, SEEK_CUR) - done, &part, 1);
    if (kind == 2) note('m', 0, &part, 1);
    return done;
}

int fdatasync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fdatasync");
    int failed = real(fd);
    if (!failed && kind_of(fd) == 1) note('f', 0, 0, 0);
    return failed;
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) real = dlsym(RTLD_NEXT, "fsync");
    int failed = real(fd);
    if (!failed && kind_of(fd) == 1) note('f', 0, 0, 0);
    return failed;
}

int ftruncate(int fd, off_t length) {
    static int (*real)(int, off_t);
    if (!real) real = dlsym(RTLD_NEXT, "ftruncate");
    int failed = real(fd, length);
    if (!failed && kind_of(fd) == 1) note('t', length, 0, 0);
    return failed;
}

int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }
