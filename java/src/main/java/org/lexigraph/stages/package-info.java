/** Stages of a scan or a merge as iterators over sorted cells, and how they are made by name. */
package org.lexigraph.stages;
