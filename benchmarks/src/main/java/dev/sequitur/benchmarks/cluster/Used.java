package dev.sequitur.benchmarks.cluster;

/**
 * What has been used: of one JVM or several, so far or between two moments, or for one transaction.
 *
 * @param processor seconds of it
 * @param roundTrips to the database
 * @param asked bytes to the database
 * @param answered bytes from the database
 * @param messages to the node's other JVMs
 * @param messageBytes of these
 * @param envelopesOut to other nodes
 * @param envelopesIn from other nodes
 */
record Used(
    double processor,
    double roundTrips,
    double asked,
    double answered,
    double messages,
    double messageBytes,
    double envelopesOut,
    double envelopesIn) {
  static final Used NOTHING = new Used(0, 0, 0, 0, 0, 0, 0, 0);

  Used plus(Used other) {
    return new Used(
        processor + other.processor,
        roundTrips + other.roundTrips,
        asked + other.asked,
        answered + other.answered,
        messages + other.messages,
        messageBytes + other.messageBytes,
        envelopesOut + other.envelopesOut,
        envelopesIn + other.envelopesIn);
  }

  Used times(double factor) {
    return new Used(
        processor * factor,
        roundTrips * factor,
        asked * factor,
        answered * factor,
        messages * factor,
        messageBytes * factor,
        envelopesOut * factor,
        envelopesIn * factor);
  }

  Used minus(Used earlier) {
    return plus(earlier.times(-1));
  }
}
