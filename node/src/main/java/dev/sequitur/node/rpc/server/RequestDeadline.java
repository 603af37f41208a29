package dev.sequitur.node.rpc.server;

import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.StatusCodes;
import akka.http.javadsl.model.headers.Connection;
import akka.stream.Attributes;
import akka.stream.BidiShape;
import akka.stream.Inlet;
import akka.stream.Outlet;
import akka.stream.stage.AbstractInHandler;
import akka.stream.stage.AbstractOutHandler;
import akka.stream.stage.GraphStage;
import akka.stream.stage.GraphStageLogic;
import akka.stream.stage.TimerGraphStageLogic;
import dev.sequitur.node.rpc.RpcSettings.Timeouts;

/**
 * Ends a connection on which no whole head of a request has come in time, however busily bytes
 * trickle: the first one within {@code timeouts.head}, each later one within {@code timeouts.idle}
 * of the answer before. What has become a WebSocket is let alone.
 */
final class RequestDeadline
    extends GraphStage<BidiShape<HttpResponse, HttpResponse, HttpRequest, HttpRequest>> {
  private static final String DEADLINE = "deadline";

  private final Inlet<HttpResponse> answersIn = Inlet.create("answers.in");
  private final Outlet<HttpResponse> answersOut = Outlet.create("answers.out");
  private final Inlet<HttpRequest> requestsIn = Inlet.create("requests.in");
  private final Outlet<HttpRequest> requestsOut = Outlet.create("requests.out");
  private final CallerConnection caller;
  private final Timeouts timeouts;

  RequestDeadline(CallerConnection caller, Timeouts timeouts) {
    this.caller = caller;
    this.timeouts = timeouts;
  }

  @Override
  public BidiShape<HttpResponse, HttpResponse, HttpRequest, HttpRequest> shape() {
    return BidiShape.of(answersIn, answersOut, requestsIn, requestsOut);
  }

  @Override
  public GraphStageLogic createLogic(Attributes attributes) {
    return new Logic();
  }

  private final class Logic extends TimerGraphStageLogic {
    Logic() {
      super(shape());
      setHandler(
          requestsIn,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              cancelTimer(DEADLINE);
              caller.busy(true);
              push(requestsOut, grab(requestsIn));
            }

            @Override
            public void onUpstreamFinish() {
              complete(requestsOut);
            }

            @Override
            public void onUpstreamFailure(Throwable failure) {
              // The connection broke: whoever waits for its next request is told that none comes.
              complete(requestsOut);
            }
          });
      setHandler(
          requestsOut,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(requestsIn);
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              cancel(requestsIn);
            }
          });
      setHandler(
          answersIn,
          new AbstractInHandler() {
            @Override
            public void onPush() {
              answered(grab(answersIn));
            }

            @Override
            public void onUpstreamFinish() {
              complete(answersOut);
            }
          });
      setHandler(
          answersOut,
          new AbstractOutHandler() {
            @Override
            public void onPull() {
              pull(answersIn);
            }

            @Override
            public void onDownstreamFinish(Throwable cause) {
              cancel(answersIn);
            }
          });
    }

    @Override
    public void preStart() {
      scheduleOnce(DEADLINE, timeouts.head());
    }

    private void answered(HttpResponse answer) {
      caller.busy(false);
      if (answer.status().equals(StatusCodes.SWITCHING_PROTOCOLS)) {
        push(answersOut, answer);
        return;
      }
      scheduleOnce(DEADLINE, timeouts.idle());
      boolean last = caller.isLast();
      push(answersOut, last ? answer.addHeader(Connection.create("close")) : answer);
    }

    @Override
    public void onTimer(Object key) {
      caller.close();
    }
  }
}
