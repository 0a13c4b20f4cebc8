/** Functions over values: predicates, aggregators, hashes, patterns. */
package org.lexigraph.functions;
