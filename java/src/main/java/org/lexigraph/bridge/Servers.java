package org.lexigraph.bridge;

import org.apache.accumulo.core.client.AccumuloClient;
import org.apache.accumulo.core.clientImpl.ClientContext;
import org.apache.accumulo.core.rpc.ThriftUtil;
import org.apache.accumulo.core.rpc.clients.ThriftClientTypes;
import org.apache.accumulo.core.trace.TraceUtil;
import org.apache.accumulo.core.util.HostAndPort;
import org.apache.thrift.TException;
import org.apache.thrift.TServiceClient;
import org.apache.thrift.transport.TTransportException;
import org.lexigraph.LexigraphException;

/**
 * Tablet servers, each asked by itself. The public client asks whichever it likes and cannot ask for a version, so this
 * speaks as the client's own parts do; it depends on the client's version, which is ours to choose, not on the servers'.
 */
public final class Servers {
  private final ClientContext context;
  private final Calls calls;

  Servers(AccumuloClient client, Calls calls) {
    this.context = (ClientContext) client;
    this.calls = calls;
  }

  /** Host and port of every tablet server that ZooKeeper knows. */
  public String[] addresses() {
    return calls.run(
        "listing tablet servers",
        () -> context.instanceOperations().getTabletServers().toArray(new String[0]));
  }

  /** Which Accumulo a server is. */
  public String version(String address) {
    return ask(
        address,
        ThriftClientTypes.TABLET_SERVER,
        server -> server.getTabletServerStatus(TraceUtil.traceInfo(), context.rpcCreds()).getVersion());
  }

  /** Whether a server can load a class for a table, by the table's class loader context if it has one. */
  public boolean loads(String address, String table, String className, String as) {
    return ask(
        address,
        ThriftClientTypes.CLIENT,
        server ->
            server.checkTableClass(TraceUtil.traceInfo(), context.rpcCreds(), table, className, as));
  }

  /** Whether a server can load a class for new tables of a namespace. */
  public boolean loadsIn(String address, String namespace, String className, String as) {
    return ask(
        address,
        ThriftClientTypes.CLIENT,
        server ->
            server.checkNamespaceClass(
                TraceUtil.traceInfo(), context.rpcCreds(), namespace, className, as));
  }

  private interface Question<C, R> {
    R ask(C server) throws TException;
  }

  private <C extends TServiceClient, R> R ask(
      String address, ThriftClientTypes<C> kind, Question<C, R> question) {
    return calls.run(
        "asking tablet server " + address,
        () -> {
          C server = null;
          try {
            server = ThriftUtil.getClient(kind, HostAndPort.fromString(address), context);
            return question.ask(server);
          } catch (TTransportException away) {
            throw new LexigraphException(
                "Unreachable", "tablet server " + address + " does not answer: " + away.getMessage(), away);
          } finally {
            if (server != null) {
              ThriftUtil.returnClient(server, context);
            }
          }
        });
  }
}
