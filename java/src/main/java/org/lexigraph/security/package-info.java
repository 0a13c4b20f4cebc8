/** Labels: their one normal form and their conjunction, as in Python and Rust. */
package org.lexigraph.security;
