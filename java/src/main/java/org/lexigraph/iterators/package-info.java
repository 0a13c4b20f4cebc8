/** What tablet servers load by name: stages as iterators, and the functor of bloom filters. */
package org.lexigraph.iterators;
