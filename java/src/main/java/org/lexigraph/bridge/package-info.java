/**
 * Between a client and Accumulo: tables, scans and writers whose cells come and go as frames, thousands in each call.
 * Every error that leaves this package is a {@link org.lexigraph.LexigraphException}, and every call ends within the
 * time that its connection was given.
 */
package org.lexigraph.bridge;
