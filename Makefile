# What a person runs: `make demo`, `make test`, `make install`. Each first sees to it that the tools are there.
CARGO ?= cargo
PREFIX ?= /usr/local
DENY_VERSION = 0.20.2
DENY = .deps/cargo-deny-$(DENY_VERSION)/bin/cargo-deny

.PHONY: setup setup-tests setup-campaigns build test demo install dist bench tables clean

# What building needs; tests and campaigns need more.
setup:
	@scripts/setup

setup-tests:
	@scripts/setup tests

setup-campaigns:
	@scripts/setup campaigns

build: setup
	$(CARGO) build --release --workspace

test: setup-tests $(DENY)
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(DENY) check licenses sources
	$(DENY) --exclude-dev check bans
	scripts/advisories $(DENY)
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --workspace --no-deps
	$(CARGO) test --workspace

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
	$(CARGO) bench --workspace

# QUICK=1: minutes, from the programs of this repository. Else hours, from the task definitions in POOL/FAMILY/.
tables: setup-campaigns build
ifdef QUICK
	@measure/tables target/tables
	@measure/paper-tables --quick
else
	@test -n "$(POOL)" || { echo "make tables needs POOL=FOLDER with tasks, or QUICK=1" >&2; exit 2; }
	@measure/tables target/tables "$(POOL)"
	@measure/paper-tables --tasks "$(POOL)/*/*.yml"
endif

clean:
	$(CARGO) clean
