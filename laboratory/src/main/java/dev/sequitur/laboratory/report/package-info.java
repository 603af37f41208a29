/** What a run ends with, for people and as a file. */
package dev.sequitur.laboratory.report;
