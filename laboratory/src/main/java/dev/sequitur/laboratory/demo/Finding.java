package dev.sequitur.laboratory.demo;

/**
 * One thing that was looked at, in a sentence for people without private data beyond the
 * demonstration's own.
 */
record Finding(boolean holds, String sentence) {
  static Finding of(boolean holds, String sentence) {
    return new Finding(holds, sentence);
  }
}
