/** JSON as specs write it: byte strings, whole numbers, and nothing that is not asked for. */
package org.lexigraph.json;
