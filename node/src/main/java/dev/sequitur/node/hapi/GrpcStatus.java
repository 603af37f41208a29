package dev.sequitur.node.hapi;

/** What a call ended with, by gRPC's names and numbers, as far as this front has use for them. */
enum GrpcStatus {
  OK(0),
  INVALID_ARGUMENT(3),
  DEADLINE_EXCEEDED(4),
  PERMISSION_DENIED(7),
  RESOURCE_EXHAUSTED(8),
  UNIMPLEMENTED(12),
  INTERNAL(13),
  UNAVAILABLE(14),
  UNAUTHENTICATED(16);

  private final int number;

  GrpcStatus(int number) {
    this.number = number;
  }

  /** Whether the caller has asked for what it should not: nothing is wrong with the node. */
  boolean isRefusal() {
    return switch (this) {
      case INVALID_ARGUMENT,
          PERMISSION_DENIED,
          RESOURCE_EXHAUSTED,
          UNIMPLEMENTED,
          UNAUTHENTICATED ->
          true;
      case OK, DEADLINE_EXCEEDED, INTERNAL, UNAVAILABLE -> false;
    };
  }

  String number() {
    return Integer.toString(number);
  }

  /** Why a call has no answer. */
  static final class Failure extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final GrpcStatus status;

    /**
     * @param sentence for the caller
     */
    Failure(GrpcStatus status, String sentence) {
      super(sentence);
      this.status = status;
    }

    GrpcStatus status() {
      return status;
    }
  }
}
