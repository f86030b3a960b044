# What a person runs: `make demo`, `make test`. Each first sees to it that the tools are there.
CARGO ?= cargo

.PHONY: setup build test demo bench clean

setup:
	@scripts/setup

build: setup
	$(CARGO) build --release --workspace

test: setup
	$(CARGO) fmt --all --check
	$(CARGO) clippy --workspace --all-targets -- -D warnings
	$(CARGO) test --workspace

demo: build
	@scripts/demo

bench: setup
	$(CARGO) bench --workspace

clean:
	$(CARGO) clean
