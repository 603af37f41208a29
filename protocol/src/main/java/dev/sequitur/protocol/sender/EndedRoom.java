package dev.sequitur.protocol.sender;

/**
 * How many ended transactions a sender may remember (SWO-2), where the senders of one JVM share a
 * bound. Nobody reserves anything: a busy sender has what the others leave, and gives it back, an
 * equal share excepted, as soon as they need it.
 *
 * @param most that all of them are to remember together
 */
public record EndedRoom(int most) {
  public EndedRoom {
    if (most < 1) {
      throw new IllegalArgumentException("At least one is remembered, not " + most);
    }
  }

  /**
   * For one of the senders, which forgets its oldest until it remembers no more. Once each of them
   * has done so, all together remember {@link #most} at most, or one each.
   *
   * @param others what the others remember
   * @param senders how many there are, with this one
   */
  public int of(long others, int senders) {
    return (int) Math.max(Math.max(1, most / senders), most - others);
  }
}
