/**
 * Order-preserving bytes for every type that a key plan may name: the same bytes as in Python and Rust. Lowest layer:
 * knows nothing of cells. <code>docs/formats/codec.md</code> has every byte.
 */
package org.lexigraph.codec;
