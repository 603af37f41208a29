/**
 * What people can see of the exchanges between nodes: {@link dev.sequitur.trace.TraceRing} keeps
 * it, {@link dev.sequitur.trace.MermaidSequence} draws it. Private data is never kept here (EXC-5).
 */
package dev.sequitur.trace;
