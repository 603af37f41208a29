package dev.sequitur.ethereum;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;

/** The body of an answer, which fails as soon as it is longer than it may be. */
public final class BoundedBody implements BodySubscriber<byte[]> {
  private final int most;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.Subscription subscription;

  private static final class TooLong extends IOException {
    private static final long serialVersionUID = 1;

    private TooLong(int most) {
      super("its answer is longer than " + most + " bytes");
    }
  }

  /** Whether what failed is that an answer was too long. */
  static boolean isTooLong(Throwable failure) {
    return failure instanceof TooLong || failure.getCause() instanceof TooLong;
  }

  /**
   * @param most bytes
   */
  public BoundedBody(int most) {
    this.most = most;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return body;
  }

  @Override
  public void onSubscribe(Flow.Subscription begun) {
    subscription = begun;
    begun.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (var buffer : buffers) {
      if (bytes.size() + buffer.remaining() > most) {
        subscription.cancel();
        body.completeExceptionally(new TooLong(most));
        return;
      }
      var part = new byte[buffer.remaining()];
      buffer.get(part);
      bytes.writeBytes(part);
    }
  }

  @Override
  public void onError(Throwable failure) {
    body.completeExceptionally(failure);
  }

  @Override
  public void onComplete() {
    body.complete(bytes.toByteArray());
  }
}
