package dev.sequitur.sequencer.transport.tls;

/**
 * What a {@link TlsTransport} holds at most.
 *
 * @param frameBytes of one batch as it travels; both sides keep to their own
 * @param queuedEnvelopes for one peer; above it the oldest are dropped
 * @param envelopesPerFrame in one batch
 * @param incomingPerPeer connections that one node may have here: one for each of its JVMs, and
 *     some that are dead and not known to be
 */
public record TlsLimits(
    int frameBytes, int queuedEnvelopes, int envelopesPerFrame, int incomingPerPeer) {
  public static final TlsLimits DEFAULT = new TlsLimits(16 << 20, 10_000, 512, 16);

  public TlsLimits {
    if (frameBytes < 1_024 || queuedEnvelopes < 1 || envelopesPerFrame < 1 || incomingPerPeer < 1) {
      throw new IllegalArgumentException(
          "Each limit of a transport is at least 1, that of a frame 1024 bytes.");
    }
  }
}
