// Preloaded into a process: numbers the writes, flushes and renames below FAULT_FOLDER, one line each in FAULT_LOG, and
// lets the one numbered FAULT_AT fail with the error number FAULT_ERRNO.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

// The error to fail with; 0 for a call to let through.
static int meet(const char *call, const char *path, const char *to) {
  const char *folder = getenv("FAULT_FOLDER"), *at = getenv("FAULT_AT"), *log = getenv("FAULT_LOG");
  if (!folder || !log || strncmp(path, folder, strlen(folder)) != 0) return 0;
  static long count = 0;
  pthread_mutex_lock(&one_at_a_time);
  long number = ++count;
  FILE *lines = fopen(log, "ae");
  if (lines) {
    fprintf(lines, "%ld %s %s%s%s\n", number, call, path, to ? " " : "", to ? to : "");
    fclose(lines);
  }
  pthread_mutex_unlock(&one_at_a_time);
  return at && number == atol(at) ? atoi(getenv("FAULT_ERRNO")) : 0;
}

static int meet_descriptor(const char *call, int descriptor) {
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return path[0] == '/' ? meet(call, path, NULL) : 0;
}

#define REAL(name, type) ((type)dlsym(RTLD_NEXT, name))
#define FAIL_OR(error, call) \
  do { \
    int met = (error); \
    if (met) { \
      errno = met; \
      return -1; \
    } \
    return call; \
  } while (0)

#define ON_DESCRIPTOR(result, name, parameters, types, arguments) \
  result name parameters { \
    FAIL_OR(meet_descriptor(#name, fd), REAL(#name, result(*) types) arguments); \
  }

ON_DESCRIPTOR(ssize_t, write, (int fd, const void *b, size_t n), (int, const void *, size_t), (fd, b, n))
ON_DESCRIPTOR(ssize_t, pwrite, (int fd, const void *b, size_t n, off_t o), (int, const void *, size_t, off_t), (fd, b, n, o))
ON_DESCRIPTOR(ssize_t, pwrite64, (int fd, const void *b, size_t n, off64_t o), (int, const void *, size_t, off64_t), (fd, b, n, o))
ON_DESCRIPTOR(ssize_t, writev, (int fd, const struct iovec *v, int n), (int, const struct iovec *, int), (fd, v, n))
ON_DESCRIPTOR(int, fsync, (int fd), (int), (fd))
ON_DESCRIPTOR(int, fdatasync, (int fd), (int), (fd))

int rename(const char *from, const char *to) {
  FAIL_OR(meet("rename", from, to), REAL("rename", int (*)(const char *, const char *))(from, to));
}
