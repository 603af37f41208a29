package dev.sequitur.laboratory.demo.schedule;

/** One family at work. */
interface Story {
  /** In one line. */
  String title();

  /** Tells it to its end, and puts what must hold into the findings. */
  void tell(Stage stage, Findings findings);
}
