# What a person runs: `make demo`, `make test`, `make install`. Each first sees to it that the tools are there.
CARGO ?= cargo
PREFIX ?= /usr/local
DENY_VERSION = 0.20.2
DENY = .deps/cargo-deny-$(DENY_VERSION)/bin/cargo-deny

# What is built against LLVM 19, and what against LLVM 22: one of them is enough.
OF_LLVM_19 = beeline-llvm beeline-lower-tool beeline-mark beeline-replay beeline-residual beeline-tests
OF_LLVM_22 = beeline-llvm-22 beeline-tools-22
HAS_LLVM_19 = $(LLVM_SYS_191_PREFIX)$(shell command -v llvm-config-19)
HAS_LLVM_22 = $(LLVM_SYS_221_PREFIX)$(shell command -v llvm-config-22)
WORKSPACE = --workspace $(if $(HAS_LLVM_19),,$(OF_LLVM_19:%=--exclude %)) $(if $(HAS_LLVM_22),,$(OF_LLVM_22:%=--exclude %))

.PHONY: setup setup-tests setup-campaigns build test demo install dist bench tables clean

# What building needs; tests and campaigns need more.
setup:
	@scripts/setup

setup-tests:
	@scripts/setup tests

setup-campaigns:
	@scripts/setup campaigns

build: setup
	$(CARGO) build --release $(WORKSPACE)

test: setup-tests $(DENY)
	$(CARGO) fmt --all --check
	$(CARGO) clippy $(WORKSPACE) --all-targets -- -D warnings
	$(DENY) check licenses sources
	$(DENY) --exclude-dev check bans
	scripts/advisories $(DENY)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc $(WORKSPACE) --no-deps
	$(CARGO) test $(WORKSPACE)

# Without optimisation it is built in half the time, and takes a second all the same.
$(DENY):
	$(CARGO) install --quiet --debug --locked --root .deps/cargo-deny-$(DENY_VERSION) --version $(DENY_VERSION) cargo-deny

demo: build
	@scripts/demo

install: build
	@scripts/install "$(PREFIX)"

dist: build
	@scripts/dist target/dist

bench: setup
	$(CARGO) bench $(WORKSPACE)

# QUICK=1: minutes, from the programs of this repository. Else hours, from the task definitions in POOL/FAMILY/.
tables: setup-campaigns build
ifdef QUICK
	@measure/tables target/tables
	@measure/paper-tables --quick
	@measure/effects
else
	@test -n "$(POOL)" || { echo "make tables needs POOL=FOLDER with tasks, or QUICK=1" >&2; exit 2; }
	@measure/tables target/tables "$(POOL)"
	@measure/paper-tables --tasks "$(POOL)/*/*.yml"
endif

clean:
	$(CARGO) clean
