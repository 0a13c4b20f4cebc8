/** The vectors of the specification, run through stages as a tablet server stacks them. */
package org.lexigraph.vectors;
