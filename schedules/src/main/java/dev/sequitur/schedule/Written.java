package dev.sequitur.schedule;

/**
 * What somebody has written as a text. It is stored, sent and compared as that text; what follows
 * from it is worked out once, when it is read.
 */
public interface Written {
  String text();
}
