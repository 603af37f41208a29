package dev.sequitur.benchmarks.cluster;

/** Reads what {@code /metrics} answers. */
final class Figures {
  private Figures() {}

  /**
   * @param name with its labels as they are written, such as {@code a_total{to="peer"}}
   * @throws IllegalStateException if it is not there
   */
  static double of(String page, String name) {
    return page.lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1).strip()))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("The node does not tell " + name + "."));
  }
}
