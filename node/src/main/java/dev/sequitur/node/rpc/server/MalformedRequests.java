package dev.sequitur.node.rpc.server;

import akka.event.LoggingAdapter;
import akka.http.ParsingErrorHandler;
import akka.http.javadsl.model.ContentTypes;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpResponse;
import akka.http.scaladsl.model.ErrorInfo;
import akka.http.scaladsl.model.StatusCode;
import akka.http.scaladsl.settings.ServerSettings;
import dev.sequitur.node.rpc.ErrorCode;
import dev.sequitur.node.rpc.RpcFailure;

/**
 * Answers what is no HTTP as everything else is answered, and writes no line of it into the log.
 * Akka HTTP makes it by its name.
 */
public final class MalformedRequests extends ParsingErrorHandler {
  @Override
  public HttpResponse handle(
      StatusCode status, ErrorInfo error, LoggingAdapter log, ServerSettings settings) {
    var failure =
        new RpcFailure(
            ErrorCode.MALFORMED_HTTP,
            "The request is no HTTP that this node reads. Correct its head.");
    return HttpResponse.create()
        .withStatus(status)
        .withEntity(HttpEntities.create(ContentTypes.APPLICATION_JSON, JsonRpc.written(failure)));
  }
}
