/**
 * Aggregators with their states, and predicates about the fields of an element: the same states and answers as in
 * Python and Rust. Knows codecs and nothing of plans or cells. <code>spec/scan.md</code> sections 6 and 7 are the
 * contract.
 */
package org.lexigraph.functions;
