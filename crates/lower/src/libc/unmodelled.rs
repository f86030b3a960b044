//! Functions of the C library and of POSIX without a model, by their effect on a program.

/// Functions that write through their pointer arguments, from the argument with this index on.
pub(super) const WRITING: [(usize, &str); 5] = [
    (
        0,
        "adjtimex arc4random_buf argz_add argz_add_sep argz_append argz_delete argz_insert argz_replace
        argz_stringify backtrace c16rtomb c32rtomb c8rtomb canonicalize canonicalizef canonicalizel cfmakeraw
        cfsetispeed cfsetospeed cfsetspeed ctermid cuserid drand48_r envz_add envz_merge envz_remove envz_strip
        erand48 erand48_r fegetenv fegetexceptflag fegetmode feholdexcept fgetws ftime getaliasent_r getcpu
        getdelim getdomainname getentropy getgrent_r gethostent_r gethostname getifaddrs getloadavg getlogin_r
        getnetent_r getnetgrent getnetgrent_r getprotoent_r getpwent_r getrandom getresgid getresuid
        getservent_r getspent_r getsubopt getutent_r getwd insque jrand48 jrand48_r lrand48_r mbrtoc16 mbrtoc32
        mbrtoc8 mbrtowc mbsnrtowcs mbsrtowcs memfrob mkdtemp mkostemp mkostemps mkstemp mkstemps mktemp mrand48_r
        nrand48 nrand48_r ntp_adjtime ntp_gettime ntp_gettimex openpty pipe pipe2 poll posix_spawn posix_spawnp
        ppoll random_r re_compile_pattern re_set_registers regcomp remque rresvport setpayload setpayloadf
        setpayloadl setstate setstate_r sigandset sigorset strfmon strfmon_l strfromd strfromf
        strfroml strfry strftime_l strxfrm_l sysinfo timegm timelocal times timespec_getres tmpnam tmpnam_r uname
        wait wait3 wcpcpy wcpncpy wcrtomb wcsftime wcsnrtombs wcsrtombs wcstok wcsxfrm wmempcpy",
    ),
    (
        1,
        "adjtime argz_create clock_getcpuclockid clock_getres confstr dladdr dladdr1 dn_comp epoll_pwait
        epoll_pwait2 epoll_wait eventfd_read fgetgrent_r fgetpos fgetpwent_r flistxattr fstatfs fstatvfs
        getaliasbyname_r getdate_r getdents getdirentries getgrgid_r getgrnam_r getgroups gethostbyname_r
        getitimer getmntent_r getnetbyname_r getprotobyname_r getprotobynumber_r getpw getpwnam_r getpwuid_r
        getrlimit getrusage getspnam_r gtty hcreate_r iconv if_indextoname inet_aton initstate
        initstate_r listxattr llistxattr mq_getattr mq_receive mq_timedreceive msgrcv nanosleep prctl pread
        preadv preadv2 pthread_attr_getdetachstate pthread_attr_getguardsize pthread_attr_getinheritsched
        pthread_attr_getschedparam pthread_attr_getschedpolicy pthread_attr_getscope pthread_attr_getstack
        pthread_attr_getstackaddr pthread_attr_getstacksize pthread_barrierattr_getpshared
        pthread_condattr_getclock pthread_condattr_getpshared pthread_getattr_np pthread_getcpuclockid
        pthread_getname_np pthread_getschedparam pthread_join pthread_mutex_getprioceiling
        pthread_mutexattr_getprioceiling pthread_mutexattr_getprotocol pthread_mutexattr_getpshared
        pthread_mutexattr_getrobust pthread_mutexattr_gettype pthread_rwlockattr_getkind_np
        pthread_rwlockattr_getpshared pthread_setcancelstate pthread_setcanceltype pthread_timedjoin_np
        pthread_tryjoin_np ptsname_r readdir_r readv realpath recvfrom recvmmsg recvmsg sched_getparam
        sched_rr_get_interval seed48_r select pselect sem_getvalue sigaltstack sigtimedwait sigwaitinfo splice
        srand48_r srandom_r statfs statvfs strerror_r strtod_l strtof_l strtol_l strtold_l strtoll_l strtoq
        strtoul_l strtoull_l strtouq swab tcgetattr thrd_join thrd_sleep timerfd_gettime ttyname_r wait4 waitpid
        wcstod wcstof wcstoimax wcstol wcstold wcstoll wcstoul wcstoull wcstoumax wordexp wscanf vwscanf",
    ),
    (
        2,
        "accept accept4 argz_create_sep argz_extract copy_file_range crypt_r crypt_ra crypt_rn ecvt ecvt_r fcntl
        fcvt fcvt_r fgetxattr fstatat fwscanf gcvt getgrouplist gethostbyname2_r getnameinfo getpeername
        getservbyname_r getservbyport_r getsockname getxattr hsearch_r inet_net_pton inet_ntop inet_pton ioctl
        lgetxattr msgctl name_to_handle_at parse_printf_format pthread_getaffinity_np qecvt qecvt_r qfcvt qfcvt_r
        qgcvt readlinkat regerror sched_getaffinity sendfile shmctl strptime strptime_l swscanf vfwscanf vswscanf
        waitid",
    ),
    (
        3,
        "clock_nanosleep dn_expand getaddrinfo gethostbyaddr_r getsockopt glob inet_net_ntop prlimit quotactl
        re_match re_search regexec semctl socketpair timerfd_settime",
    ),
    (4, "getopt_long getopt_long_only statx"),
];

/// What is said of functions that call what they are given.
pub(super) const CALLS_BACK: &str = "a function that the library calls";

/// Functions that make the library call a function of the program, perhaps later, or write to memory that it was given,
/// each with the reason for a message.
pub(super) const CALLING_BACK: [(&str, &str); 5] = [
    (
        "dl_iterate_phdr ftw mcheck mcheck_pedantic nftw register_printf_function register_printf_specifier
        register_printf_type scandir scandirat tdestroy twalk_r",
        CALLS_BACK,
    ),
    ("argp_parse fopencookie", "functions in a structure that the library calls"),
    (
        "aio_fsync aio_read aio_write getaddrinfo_a gsignal lio_listio mq_notify psiginfo pthread_cancel pthread_kill
        pthread_sigqueue sighold sigignore siginterrupt sigpause sigrelse sigreturn sigset sigvec ssignal
        sysv_signal bsd_signal tgkill timer_settime ualarm",
        "a signal",
    ),
    ("fmemopen open_memstream open_wmemstream", "a stream in memory"),
    ("syscall", "a call of the kernel"),
];

/// Functions that set variables of the library, with these variables.
pub(super) const SETTING: [(&str, &str); 4] = [
    ("getopt getopt_long getopt_long_only", "optarg optind optopt"),
    ("gamma gammaf gammal lgamma lgammaf lgammal", "signgam"),
    ("tzset", "daylight timezone tzname"),
    ("clearenv putenv setenv unsetenv", "environ __environ _environ"),
];

/// Functions that change the rounding of floats, or what happens when they overflow.
pub(super) const ROUNDING: &str = "fesetenv feupdateenv fesetmode feenableexcept";

/// Functions of `math.h` and `complex.h` that have no model.
pub(super) const UNMODELLED_FLOAT: &[&str] = &[
    "acos",
    "acosh",
    "asin",
    "asinh",
    "atan",
    "atan2",
    "atanh",
    "cbrt",
    "cos",
    "cosh",
    "erf",
    "erfc",
    "exp",
    "exp10",
    "exp2",
    "expm1",
    "hypot",
    "ilogb",
    "ldexp",
    "lgamma",
    "log",
    "log10",
    "log1p",
    "log2",
    "logb",
    "nextafter",
    "nexttoward",
    "pow",
    "scalbln",
    "scalbn",
    "sin",
    "sinh",
    "tan",
    "tanh",
    "tgamma",
    "j0",
    "j1",
    "y0",
    "y1",
    "cabs",
    "carg",
    "cexp",
    "clog",
    "cpow",
    "csqrt",
    "csin",
    "ccos",
    "creal",
    "cimag",
    "conj",
];

/// Functions of other headers that have no model.
pub(super) const UNMODELLED: &[&str] = &[
    "__divdc3",
    "__divsc3",
    "__divxc3",
    "setlocale",
    "localeconv",
    "strerror",
    "strsignal",
    "strverscmp",
    "wcslen",
    "wcscmp",
    "wcsncmp",
    "wcschr",
    "wcsrchr",
    "wcsstr",
    "wmemcmp",
    "mblen",
    "towlower",
    "towupper",
    "iswalpha",
    "iswdigit",
    "iswspace",
    "sscanf_s",
    "fseek",
    "fseeko",
    "ftell",
    "ftello",
    "feof",
    "ferror",
    "lfind",
];
