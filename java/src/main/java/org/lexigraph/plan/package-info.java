/**
 * Key plans: what the bytes of a table's cells mean, as data. A plan is read from JSON once, checked and compiled;
 * after that nothing is looked up by name for a cell, and no value is read before somebody asks for it.
 * <code>spec/scan.md</code> section 6 is the contract.
 */
package org.lexigraph.plan;
