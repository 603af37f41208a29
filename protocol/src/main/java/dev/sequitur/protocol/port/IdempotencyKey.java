package dev.sequitur.protocol.port;

import dev.sequitur.protocol.guard.Principal;
import dev.sequitur.protocol.id.CanonicalDigest;
import dev.sequitur.protocol.id.Hash;
import dev.sequitur.protocol.id.Identity;

/**
 * Under what a transaction is accepted once (SND-3). Two owners may give the same name: these are
 * two keys, and neither learns of the other's.
 *
 * @param name as the owner has sent it
 */
public record IdempotencyKey(Owner owner, String name) {
  /** By what both are found together; no two keys have the same. */
  public Hash hash() {
    return new CanonicalDigest().add(owner.text()).add(name).finish();
  }

  /**
   * Within whose keys a name stands for one transaction.
   *
   * @param text told apart by what stands before its colon
   */
  public record Owner(String text) {
    /** The schedules of the node, whose names nobody else may give (SCH-13). */
    public static final Owner SCHEDULES = new Owner("schedules:");

    /** Where nobody is asked who calls, the identity is whoever sends as it. */
    public static Owner of(Identity from) {
      return new Owner("from:" + from);
    }

    /**
     * Who calls, if that was asked: two callers that may send as one identity are two owners.
     *
     * @param from the identity that the caller sends as
     */
    public static Owner of(Principal caller, Identity from) {
      return caller.isAsked() ? of(caller) : of(from);
    }

    /**
     * Of a caller that was asked who it is.
     *
     * @throws IllegalArgumentException if it was not: everybody would be one owner
     */
    public static Owner of(Principal caller) {
      if (!caller.isAsked()) {
        throw new IllegalArgumentException("Nobody was asked who calls.");
      }
      return new Owner(caller.toString());
    }
  }
}
