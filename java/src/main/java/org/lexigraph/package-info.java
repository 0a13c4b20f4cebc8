/**
 * Lexigraph on Apache Accumulo: the stages of a scan as iterators of tablet servers, and a bridge that
 * moves packed batches of cells. `docs/formats/accumulo.md` says how the two are used.
 */
package org.lexigraph;
