/** Stages that read cells as elements, by a key plan. */
package org.lexigraph.elements;
